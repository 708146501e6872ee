/** The supported types with their file extensions, the usual one first. A browser executes none of these types. */
export const IMAGE_TYPES = {
  'image/jpeg': ['jpg', 'jpeg'],
  'image/png': ['png'],
  'image/webp': ['webp'],
  'image/gif': ['gif'],
  'image/avif': ['avif'],
} as const
export type ImageType = keyof typeof IMAGE_TYPES

/** Returns the image type of a media type, ignoring case, or null if it is not supported. */
export function imageTypeOf(mediaType: string): ImageType | null {
  const type = mediaType.trim().toLowerCase()
  return Object.hasOwn(IMAGE_TYPES, type) ? (type as ImageType) : null
}

/** Returns the requested extension if the type has it, the usual one if none is requested, else null. */
export function endingOf(type: ImageType, asked: string | undefined): string | null {
  const [usual, ...others] = IMAGE_TYPES[type]
  if (asked === undefined) return usual
  const ending = asked.toLowerCase()
  return ending === usual || (others as readonly string[]).includes(ending) ? ending : null
}

/** Returns the type with this extension. */
const typeOfEnding = (ending: string): ImageType | undefined =>
  (Object.keys(IMAGE_TYPES) as ImageType[]).find((type) =>
    (IMAGE_TYPES[type] as readonly string[]).includes(ending),
  )

/** The largest image in bytes (B-upload-1). */
export const MAX_BYTES = 5 * 1024 * 1024
/** The lifetime of a signed address (B-upload-1). */
export const SIGNED_MS = 15 * 60_000
/** Signed addresses per minute for one member or key. */
export const SIGNED_PER_MINUTE = 60

const ULID = '[0-9A-HJKMNP-TV-Z]{26}'
const ENDINGS = Object.values(IMAGE_TYPES).flat().join('|')
/** The form of a key. Only such a text becomes a path. */
export const KEY = new RegExp(`^acc/(acc_${ULID})/(${ULID})\\.(${ENDINGS})$`)
/** The pattern of a key within a longer text, for PostgreSQL. */
export const KEY_IN_TEXT = `acc/acc_${ULID}/${ULID}[.](?:${ENDINGS})`

const KEYS = new RegExp(KEY_IN_TEXT, 'g')
/** Returns the keys in a text, each once. */
export const keysIn = (text: string): string[] => [...new Set(text.match(KEYS))]

export const keyOf = (accountId: string, ulid: string, ending: string) => `acc/${accountId}/${ulid}.${ending}`

/**
 * Files derived from an image have its key and one of these extensions. A text with the address of the thumbnail
 * therefore also contains the key of the image.
 */
export const THUMBNAIL_ENDING = '.thumbnail.webp'
const DOTS_ENDING = '.dots'
export const thumbnailKeyOf = (key: string) => key + THUMBNAIL_ENDING
export const dotsKeyOf = (key: string) => key + DOTS_ENDING

/** Returns the type of the image or thumbnail with this key; undefined for any other file. */
export function contentTypeOf(key: string): string | undefined {
  if (!key.endsWith(THUMBNAIL_ENDING)) return typeOfEnding(KEY.exec(key)?.[3] ?? '')
  return KEY.test(key.slice(0, -THUMBNAIL_ENDING.length)) ? 'image/webp' : undefined
}

/** The first bytes of each type; a dot matches any byte. */
const SIGNATURES: Readonly<Record<ImageType, RegExp>> = {
  'image/jpeg': /^\xff\xd8\xff/,
  'image/png': /^\x89PNG\r\n\x1a\n/,
  'image/webp': /^RIFF....WEBP/s,
  'image/gif': /^GIF8[79]a/,
  'image/avif': /^....ftypavi[fs]/s,
}

/** Returns the type according to the first bytes of a file; undefined if it is not supported. */
export function typeOfBytes(bytes: Buffer): ImageType | undefined {
  const start = bytes.toString('latin1', 0, 16)
  return (Object.keys(SIGNATURES) as ImageType[]).find((type) => SIGNATURES[type].test(start))
}
