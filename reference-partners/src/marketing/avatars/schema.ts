import { Instant, Words } from 'kasir/partner-tools'
import { Type } from 'typebox'

export const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'] as const
export type ImageType = (typeof IMAGE_TYPES)[number]

export const MAX_BYTES = 150 * 1024
export const AvatarKey = Type.String({ minLength: 1, maxLength: 300 })

export const AvatarPut = Type.Object(
  {
    key: AvatarKey,
    image: Type.String({
      minLength: 1,
      maxLength: Math.ceil(MAX_BYTES / 3) * 4,
      pattern: '^[A-Za-z0-9+/]+={0,2}$',
      description: 'PNG, JPEG, WebP or GIF in base64, up to 150 KiB',
    }),
  },
  { title: 'AvatarPut' },
)
export const Avatar = Type.Object(
  {
    key: AvatarKey,
    url: Type.String({
      description: 'Where its bytes are, without a key, for some minutes; relative to this server',
    }),
    contentType: Words(IMAGE_TYPES),
    bytes: Type.Integer(),
    expiresAt: Instant,
    updatedAt: Instant,
  },
  { title: 'Avatar' },
)
