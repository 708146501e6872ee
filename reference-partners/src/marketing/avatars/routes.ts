import type { FastifyInstance } from 'fastify'
import { invalid, notFound } from 'kasir/partner-tools'
import { Type } from 'typebox'
import { route } from '../../kit/http/route.ts'
import type { Tools } from '../../kit/tools.ts'
import { Avatar, AvatarKey, AvatarPut, type ImageType, MAX_BYTES } from './schema.ts'
import { isSigned, MEDIA, signedPath } from './signed.ts'
import * as store from './store.ts'

const SIGNS: readonly (readonly [ImageType, (bytes: Buffer) => boolean])[] = [
  ['image/png', (bytes) => bytes.subarray(0, 8).toString('latin1') === '\x89PNG\r\n\x1a\n'],
  ['image/jpeg', (bytes) => bytes.subarray(0, 3).toString('hex') === 'ffd8ff'],
  ['image/gif', (bytes) => /^GIF8[79]a/.test(bytes.subarray(0, 6).toString('latin1'))],
  ['image/webp', (bytes) => /^RIFF[\s\S]{4}WEBP$/.test(bytes.subarray(0, 12).toString('latin1'))],
]

const tag = 'avatars'

export const avatarRoutes = [
  route({
    name: 'avatars.put',
    method: 'PUT',
    path: '/avatars',
    tag,
    summary: 'Keeps the picture of a creator under a key',
    body: AvatarPut,
    access: 'write',
    returns: Avatar,
    handle: async ({ tools, tx, caller: { workspaceId }, body: { key, image }, now }) => {
      const bytes = Buffer.from(image, 'base64')
      const contentType = SIGNS.find(([, is]) => is(bytes))?.[0]
      if (!contentType || bytes.length > MAX_BYTES)
        throw invalid('image', 'An avatar is a PNG, JPEG, WebP or GIF of at most 150 KiB')
      await store.upsertAvatar(tx, workspaceId, { key, contentType, image: bytes, now })
      const signed = signedPath(tools.keys, workspaceId, key, now)
      return { key, contentType, bytes: bytes.length, updatedAt: now, ...signed }
    },
  }),
  route({
    name: 'avatars.get',
    method: 'GET',
    path: '/avatars',
    tag,
    summary: 'The address of the picture under a key',
    query: Type.Object({ key: AvatarKey }),
    access: 'read',
    returns: Avatar,
    handle: async ({ tools, db, caller: { workspaceId }, query: { key }, now }) => {
      const found = await store.find(db, workspaceId, key)
      if (!found) throw notFound('avatar')
      return { ...found, ...signedPath(tools.keys, workspaceId, key, now) }
    },
  }),
]

type AvatarRequest = { workspaceId: string; key?: string; expires?: string; signature?: string }

/** The bytes behind a signed address. */
export function mountMedia(app: FastifyInstance, tools: Tools) {
  app.get<{ Params: Pick<AvatarRequest, 'workspaceId'>; Querystring: Omit<AvatarRequest, 'workspaceId'> }>(
    `${MEDIA}/:workspaceId`,
    async (request, reply) => {
      const { workspaceId } = request.params
      const { key, expires, signature } = request.query
      const isWhole = [key, expires, signature].every((part) => typeof part === 'string')
      const asked = { workspaceId, key: String(key), expires: String(expires), signature: String(signature) }
      if (!isWhole || !/^wsp_[0-9A-Z]{26}$/.test(workspaceId) || !isSigned(tools.keys, asked, tools.now()))
        throw notFound('avatar')
      const found = await store.read(tools.db, workspaceId, asked.key)
      if (!found) throw notFound('avatar')
      return reply.type(found.contentType).header('cache-control', 'private, max-age=600').send(found.image)
    },
  )
}
