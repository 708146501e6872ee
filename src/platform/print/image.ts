/** Dots of a receipt printer, a bit each, black is 1: rows of whole bytes, as wide as the paper can be printed. */
export type Raster = { bytesAcross: number; rows: number; bits: Buffer }

/** Dots across, on printers of 203 dots an inch: eight in a millimetre. */
const DOTS = { '58': 384, '80': 576 } as const
type Paper = keyof typeof DOTS
const DOTS_PER_MM = 8
/** Thirty millimetres: more is a poster. */
const MOST_ROWS = 240
/** What is read at all: a small file can unfold into any number of points. */
const MOST_POINTS = 4_000_000

type Size = { width: number; height: number }

/** How large an image is printed: a dot for a point, smaller where that is wider than the paper or too high. */
export function fitted({ width, height }: Size, paper: Paper) {
  const scale = Math.min(1, DOTS[paper] / width, MOST_ROWS / height)
  const dotsWide = Math.max(1, Math.floor(width * scale))
  const dotsHigh = Math.max(1, Math.floor(height * scale))
  return { dotsWide, dotsHigh, widthMm: dotsWide / DOTS_PER_MM, heightMm: dotsHigh / DOTS_PER_MM }
}

type Pixels = Size & { data: Uint8Array }

/** The image of a PNG or JPEG. Throws for what is neither, is broken, or has too many points. */
async function decoded(bytes: Buffer): Promise<Pixels> {
  if (bytes[0] === 0xff) {
    const { decode } = await import('jpeg-js')
    return decode(bytes, { useTArray: true, maxResolutionInMP: MOST_POINTS / 1e6, maxMemoryUsageInMB: 128 })
  }
  const [width, height, isInterlaced] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20), bytes[28] === 1]
  if (width * height > MOST_POINTS) throw new Error(`a PNG of ${width} x ${height} is not read`)
  // Without interlacing the reader stops unfolding where the image is full.
  if (isInterlaced) throw new Error('an interlaced PNG is not read')
  const { PNG } = await import('pngjs')
  return PNG.sync.read(bytes)
}

/** How light a part of the image is on white paper, 0 to 255: the average of its points. */
function lightOf(
  { width, data }: Pixels,
  [left, top, right, bottom]: readonly [number, number, number, number],
) {
  let light = 0
  for (let y = top; y < bottom; y += 1) {
    for (let x = left; x < right; x += 1) {
      const at = (y * width + x) * 4
      const seen = ((data[at] ?? 0) * 299 + (data[at + 1] ?? 0) * 587 + (data[at + 2] ?? 0) * 114) / 1000
      light += 255 - ((255 - seen) * (data[at + 3] ?? 0)) / 255
    }
  }
  return light / ((right - left) * (bottom - top))
}

/** Lights in order, each the average of the points that a dot covers. */
function shrunk(pixels: Pixels, wide: number, high: number): Float32Array {
  const edge = (n: number, of: number, points: number) => Math.floor((n * points) / of)
  return Float32Array.from({ length: wide * high }, (_, at) => {
    const [x, y] = [at % wide, Math.floor(at / wide)]
    const [left, top] = [edge(x, wide, pixels.width), edge(y, high, pixels.height)]
    const right = Math.max(left + 1, edge(x + 1, wide, pixels.width))
    return lightOf(pixels, [left, top, right, Math.max(top + 1, edge(y + 1, high, pixels.height))])
  })
}

/** Where the error of a dot goes: Floyd and Steinberg's sixteenths, to the right and below. */
const SHARES = [
  [1, 0, 7],
  [-1, 1, 3],
  [0, 1, 5],
  [1, 1, 1],
] as const

/** The dots of a PNG or JPEG for a printer of this paper, in the middle of it. Throws for what cannot be read. */
export async function rasterOf(bytes: Buffer, paper: Paper): Promise<Raster> {
  const pixels = await decoded(bytes)
  const { dotsWide, dotsHigh } = fitted(pixels, paper)
  const light = shrunk(pixels, dotsWide, dotsHigh)
  const bytesAcross = DOTS[paper] / 8
  const margin = Math.floor((DOTS[paper] - dotsWide) / 2)
  const bits = Buffer.alloc(bytesAcross * dotsHigh)
  for (let y = 0; y < dotsHigh; y += 1) {
    for (let x = 0; x < dotsWide; x += 1) {
      const value = light[y * dotsWide + x] ?? 255
      const isBlack = value < 128
      if (isBlack) {
        const at = y * bytesAcross + ((margin + x) >> 3)
        bits[at] = (bits[at] ?? 0) | (0x80 >> ((margin + x) & 7))
      }
      const error = value - (isBlack ? 0 : 255)
      for (const [right, down, share] of SHARES) {
        const to = (y + down) * dotsWide + x + right
        if (x + right < 0 || x + right >= dotsWide || y + down >= dotsHigh) continue
        light[to] = (light[to] ?? 255) + (error * share) / 16
      }
    }
  }
  return { bytesAcross, rows: dotsHigh, bits }
}
