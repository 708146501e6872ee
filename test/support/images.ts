import jpeg from 'jpeg-js'
import { PNG } from 'pngjs'

/** Pixels of a test image: dark where `isDark`, else white. */
const pixels = (width: number, height: number, isDark: (x: number, y: number) => boolean) => {
  const data = Buffer.alloc(width * height * 4, 255)
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1)
      if (isDark(x, y)) data.fill(0, (y * width + x) * 4, (y * width + x) * 4 + 3)
  return data
}

/** A disc in the middle, so that a picture shows whether it is whole and round. */
const disc = (width: number, height: number) => (x: number, y: number) =>
  ((x - width / 2) / (width / 2)) ** 2 + ((y - height / 2) / (height / 2)) ** 2 < 0.8

export function pngOf(width: number, height: number, isDark = disc(width, height)): Buffer {
  const png = new PNG({ width, height })
  png.data = pixels(width, height, isDark)
  return PNG.sync.write(png)
}

export const jpegOf = (width: number, height: number, isDark = disc(width, height)): Buffer =>
  jpeg.encode({ width, height, data: pixels(width, height, isDark) }, 90).data

/** The smallest files of the types that are only passed on. */
export const WEBP = Buffer.from('UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==', 'base64')
export const GIF = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')
export const AVIF = Buffer.concat([
  Buffer.from([0, 0, 0, 28]),
  Buffer.from('ftypavif\0\0\0\0avifmif1miaf', 'latin1'),
])
