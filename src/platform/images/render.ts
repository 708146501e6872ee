import sharp, { type SharpOptions } from 'sharp'
import { fitted, PAPERS, rasterFrom } from '../../core/paper/image.ts'
import { MAX_PIXELS } from './limits.ts'

/** An image ready to show and print: its displayed size, a thumbnail, and the dots for both paper widths. */
export type Rendition = {
  width: number
  height: number
  /** WebP, at most 320 pixels wide and high. */
  thumbnail: Buffer
  /** The dots for 58 mm paper, directly followed by those for 80 mm (print/image.ts). */
  dots: Buffer
}

const THUMBNAIL_PX = 320
/**
 * This size exceeds a thumbnail and the dots of any paper, so the image is decoded once and both are made from it.
 */
const WORKING_PX = 640

const INPUT: SharpOptions = { limitInputPixels: MAX_PIXELS, failOn: 'error', sequentialRead: true }
const WITHIN = { fit: 'inside', withoutEnlargement: true } as const

/**
 * Decodes an image once. Throws if the bytes are not an image, are damaged or truncated, or decode to more than 40
 * megapixels.
 */
export async function render(bytes: Uint8Array): Promise<Rendition> {
  const { autoOrient: size } = await sharp(bytes, INPUT).metadata()
  const { data, info } = await sharp(bytes, INPUT)
    .autoOrient()
    .resize({ width: WORKING_PX, height: WORKING_PX, ...WITHIN })
    .toColourspace('srgb')
    .ensureAlpha()
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true })
  const working = () => sharp(data, { raw: { width: info.width, height: info.height, channels: 4 } })
  const dots = PAPERS.map(async (paper) => {
    const { dotsWide, dotsHigh } = fitted(size, paper)
    const points = await working()
      .flatten({ background: '#fff' })
      .resize(dotsWide, dotsHigh, { fit: 'fill' })
      .removeAlpha()
      .raw()
      .toBuffer()
    return rasterFrom(points, { dotsWide, dotsHigh }, paper).bits
  })
  const thumbnail = await working()
    .resize({ width: THUMBNAIL_PX, height: THUMBNAIL_PX, ...WITHIN })
    .webp()
    .toBuffer()
  return { ...size, thumbnail, dots: Buffer.concat(await Promise.all(dots)) }
}
