import { type Static, Type } from 'typebox'
import { Words } from '../../../platform/http/shapes.ts'
import { IMAGE_TYPES, type ImageType } from './rules.ts'

const TYPES = Object.keys(IMAGE_TYPES) as ImageType[]

export const UploadSign = Type.Object(
  {
    contentType: Type.String({
      minLength: 1,
      maxLength: 100,
      description: `${TYPES.join(', ')}: the Content-Type that the file will be sent with`,
    }),
    ext: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 5,
        pattern: '^[A-Za-z]+$',
        description: 'Ending of the file, one of those of its type; by default the usual one',
      }),
    ),
  },
  { title: 'UploadSign' },
)
export type UploadSign = Static<typeof UploadSign>

export const SignedUpload = Type.Object(
  {
    key: Type.String({ description: 'Where the image lies in the storage' }),
    url: Type.String({ description: 'Send the file here with PUT, within 15 minutes' }),
    publicUrl: Type.String({ description: 'Where anybody reads it, once it was sent' }),
    contentType: Words(TYPES),
  },
  { title: 'SignedUpload' },
)
export type SignedUpload = Static<typeof SignedUpload>
