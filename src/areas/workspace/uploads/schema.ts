import { type Static, Type } from 'typebox'
import { Words } from '../../../platform/http/shapes.ts'
import { IMAGE_TYPES, type ImageType } from './rules.ts'

const TYPES = Object.keys(IMAGE_TYPES) as ImageType[]

export const UploadSign = Type.Object(
  {
    contentType: Type.String({
      minLength: 1,
      maxLength: 100,
      description: `The Content-Type of the upload: ${TYPES.join(', ')}`,
    }),
    ext: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 5,
        pattern: '^[A-Za-z]+$',
        'x-form': 'letters',
        description: 'File extension, one of those of the type; by default the usual one',
      }),
    ),
  },
  { title: 'UploadSign' },
)
export type UploadSign = Static<typeof UploadSign>

export const SignedUpload = Type.Object(
  {
    key: Type.String({ description: 'The key of the image in the storage' }),
    url: Type.String({ description: 'Send the file here with PUT, within 15 minutes' }),
    publicUrl: Type.String({ description: 'The public address of the image after the upload' }),
    contentType: Words(TYPES),
  },
  { title: 'SignedUpload' },
)
export type SignedUpload = Static<typeof SignedUpload>
