import { route } from '../../../platform/http/route.ts'
import { SignedUpload, UploadSign } from './schema.ts'
import { signUpload } from './service.ts'

export const uploadRoutes = [
  route({
    name: 'uploads.sign',
    method: 'POST',
    path: '/uploads/sign',
    area: 'uploads',
    summary: 'Get an address to send an image to',
    description:
      'Send the file with PUT to `url`, with the same Content-Type and at most 5 MiB, within 15 minutes. It can be read at `publicUrl` from then on, by anybody who knows that address. An image that nothing in the workspace names is removed after a week.',
    access: 'write',
    delegation: 'write',
    body: UploadSign,
    refuses: ['LIMIT_REACHED'],
    returns: SignedUpload,
    handle: ({ deps, tx, scope, body }) => signUpload(deps, tx, scope, body),
  }),
]
