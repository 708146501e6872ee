import { Type } from 'typebox'
import { route } from '../../../platform/http/route.ts'
import { Pixels, PixelsPatch } from './schema.ts'
import { getPixels, updatePixels } from './service.ts'

const row = { area: 'marketing', module: 'marketing', delegation: 'forbidden' } as const
const One = Type.Object({ pixels: Pixels })

export const pixelRoutes = [
  route({
    ...row,
    name: 'pixels.get',
    method: 'GET',
    path: '/account/pixels',
    summary: 'Read the settings of tracking pixels',
    description:
      'The access token is stored encrypted and never shown again. The answer has only its last four characters.',
    access: 'read',
    returns: One,
    handle: async ({ db, scope }) => ({ pixels: await getPixels(db, scope) }),
  }),
  route({
    ...row,
    name: 'pixels.update',
    method: 'PATCH',
    path: '/account/pixels',
    summary: 'Change the settings of tracking pixels',
    description: 'Changes only the fields that are sent. Null removes the access token.',
    access: 'write',
    body: PixelsPatch,
    returns: One,
    handle: async ({ deps, tx, scope, body }) => ({ pixels: await updatePixels(deps, tx, scope, body) }),
  }),
]
