/** What may be uploaded, with the endings of its files, the usual one first. No type that a browser would run. */
export const IMAGE_TYPES = {
  'image/jpeg': ['jpg', 'jpeg'],
  'image/png': ['png'],
  'image/webp': ['webp'],
  'image/gif': ['gif'],
  'image/avif': ['avif'],
} as const
export type ImageType = keyof typeof IMAGE_TYPES

/** The type that a media type names, whatever its case; null for all that is no image of ours. */
export function imageTypeOf(mediaType: string): ImageType | null {
  const type = mediaType.trim().toLowerCase()
  return Object.hasOwn(IMAGE_TYPES, type) ? (type as ImageType) : null
}

/** The ending of the file: the one that was asked for if the type has it, the usual one without; else null. */
export function endingOf(type: ImageType, asked: string | undefined): string | null {
  const [usual, ...others] = IMAGE_TYPES[type]
  if (asked === undefined) return usual
  const ending = asked.toLowerCase()
  return ending === usual || (others as readonly string[]).includes(ending) ? ending : null
}

/** The type whose file has this ending. */
export const typeOfEnding = (ending: string): ImageType | undefined =>
  (Object.keys(IMAGE_TYPES) as ImageType[]).find((type) =>
    (IMAGE_TYPES[type] as readonly string[]).includes(ending),
  )

/** Bytes of one image (B-upload-1). */
export const MAX_BYTES = 5 * 1024 * 1024
/** How long an address to send an image to works (B-upload-1). */
export const SIGNED_MS = 15 * 60_000
/** Addresses that one member or key may have signed within a minute. */
export const SIGNED_PER_MINUTE = 60

const ULID = '[0-9A-HJKMNP-TV-Z]{26}'
const ENDINGS = Object.values(IMAGE_TYPES).flat().join('|')
/** Where an image lies: no other text is ever made into a path. */
export const KEY = new RegExp(`^acc/(acc_${ULID})/(${ULID})\\.(${ENDINGS})$`)
/** The same inside a longer text, as PostgreSQL reads it. */
export const KEY_IN_TEXT = `acc/acc_${ULID}/${ULID}[.](?:${ENDINGS})`

const KEYS = new RegExp(KEY_IN_TEXT, 'g')
/** The images that a text names, each once. */
export const keysIn = (text: string): string[] => [...new Set(text.match(KEYS))]

export const keyOf = (accountId: string, ulid: string, ending: string) => `acc/${accountId}/${ulid}.${ending}`

/** What the bytes are, and their width and height where the header of the type is as plain as that. */
export type Found = { type: ImageType; width: number | null; height: number | null }

/** Reads the type of an image from its first bytes; null for anything else. */
export function foundIn(bytes: Buffer): Found | null {
  const ascii = (from: number, to: number) => bytes.toString('latin1', from, to)
  if (bytes.length < 16) return null
  if (ascii(0, 8) === '\x89PNG\r\n\x1a\n' && ascii(12, 16) === 'IHDR' && bytes.length > 24) {
    return { type: 'image/png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
  }
  if (bytes.readUIntBE(0, 3) === 0xffd8ff) return { type: 'image/jpeg', ...sizeOfJpeg(bytes) }
  if (ascii(0, 4) === 'RIFF' && ascii(8, 12) === 'WEBP') return { type: 'image/webp', ...UNREAD }
  if (/^GIF8[79]a/.test(ascii(0, 6))) {
    return { type: 'image/gif', width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) }
  }
  if (ascii(4, 8) === 'ftyp' && /^avi[fs]/.test(ascii(8, 12))) return { type: 'image/avif', ...UNREAD }
  return null
}

const UNREAD = { width: null, height: null }
/** The frame headers of JPEG (ITU T.81, B.1.1.3): SOF0 to SOF15 but for the three that are something else. */
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)

function sizeOfJpeg(bytes: Buffer): { width: number | null; height: number | null } {
  let at = 2
  while (at + 9 < bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0
    if (isFrame(marker)) return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) }
    const isAlone = marker === 0xff || (marker >= 0xd0 && marker <= 0xd8)
    at += marker === 0xff ? 1 : isAlone ? 2 : 2 + bytes.readUInt16BE(at + 2)
  }
  return UNREAD
}

/** What a logo may be: types that are read for printers, and no more points than are read in a fraction of a second. */
export const LOGO_TYPES: readonly ImageType[] = ['image/png', 'image/jpeg']
export const LOGO_PIXELS = 4_000_000

/** Why an image cannot head a receipt, in words for the person who chose it; null when it can. */
export function whyNoLogo({
  contentType,
  width,
  height,
}: {
  contentType: ImageType
  width: number | null
  height: number | null
}): string | null {
  if (!LOGO_TYPES.includes(contentType)) return 'A logo is printed too, so it must be a PNG or a JPEG'
  if (!width || !height) return 'The image does not say how large it is; save it again as a PNG or a JPEG'
  if (width * height > LOGO_PIXELS)
    return `The logo has ${width} × ${height} points; make it 2000 × 2000 or smaller`
  return null
}
