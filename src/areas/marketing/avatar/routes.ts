import { Type } from 'typebox'
import { ApiError } from '../../../core/errors.ts'
import { epochMsOf } from '../../../core/time.ts'
import { route } from '../../../platform/http/route.ts'
import { pathOf } from '../../../platform/partners/client.ts'
import { findPartnerAccount } from '../../workspace/modules/index.ts'
import { pictureCache } from './cache.ts'
import { IMAGE_TYPES, keyIn } from './rules.ts'

const HOUR_S = 3_600
const MAX_BYTES = 1024 * 1024
const cache = pictureCache({ lifetimeMs: HOUR_S * 1_000, maxBytes: 32 * MAX_BYTES })

/** These headers keep a picture from running scripts on our origin, whatever type it claims. */
const HEADERS = {
  'cache-control': `private, max-age=${HOUR_S}`,
  'content-security-policy': "default-src 'none'; sandbox",
}

const unreadable = () =>
  new ApiError(
    'PARTNER_ERROR',
    'The marketing partner returned an address that is not its own for this picture',
  )

export const avatarRoutes = [
  route({
    name: 'marketingMedia.getAvatar',
    method: 'GET',
    path: '/account/marketing-media/avatar',
    area: 'marketing',
    module: 'marketing',
    summary: 'Get the picture of a creator from the marketing partner',
    description:
      'Returns a PNG, JPEG, WebP or GIF image of up to 1 MiB. Clients may cache it for an hour. A key that the partner does not know is 404.',
    access: 'forward',
    delegation: 'read',
    query: Type.Object({
      key: Type.String({
        minLength: 1,
        maxLength: 300,
        description: 'The key of the picture at the partner',
      }),
    }),
    returns: Type.Unknown(),
    produces: 'image/*',
    handle: async ({ deps, scope, partner, search }) => {
      const named = keyIn(search)
      const place = `${scope.accountId} ${named}`
      const nowMs = epochMsOf(scope.now)
      const known = cache.find(place, nowMs)
      if (known) return { file: known.bytes, type: known.mediaType, headers: HEADERS }
      const { client, key } = await findPartnerAccount({ deps, scope, partner }, 'marketing')
      const query = new URLSearchParams({ key: named }).toString()
      const asked = { method: 'GET', path: pathOf('v1', 'avatars'), query, key } as const
      const { data } = await partner.call((sent) => client.ask(asked, sent))
      const url = (data as { url?: unknown } | null)?.url
      const address = typeof url === 'string' ? client.ownAddress(url) : null
      if (address === null) throw unreadable()
      const picture = await partner.call((sent) =>
        client.fetch({ method: 'GET', ...address, key, maxBytes: MAX_BYTES }, sent, IMAGE_TYPES),
      )
      cache.keep(place, picture, nowMs)
      return { file: picture.bytes, type: picture.mediaType, headers: HEADERS }
    },
  }),
]
