import { route } from '../../../platform/http/route.ts'
import { SignedUpload, UploadSign } from './schema.ts'
import { signUpload } from './service.ts'

export const uploadRoutes = [
  route({
    name: 'uploads.sign',
    method: 'POST',
    path: '/uploads/sign',
    area: 'uploads',
    summary: 'Sign an address for the upload of an image',
    description:
      'Send the file with PUT to `url` within 15 minutes, with the same Content-Type and at most 5 MiB. The service rejects an image that it cannot decode and says why. Anyone who knows `publicUrl` can then read the image. An image to which no record refers is removed after a week.',
    access: 'write',
    delegation: 'write',
    body: UploadSign,
    document: { refuses: ['LIMIT_REACHED'] },
    returns: SignedUpload,
    handle: ({ deps, tx, scope, body }) => signUpload(deps, tx, scope, body),
  }),
]
