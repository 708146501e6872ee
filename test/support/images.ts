import { crc32, deflateSync } from 'node:zlib'
import { PNG } from 'pngjs'
import sharp from 'sharp'

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

export const jpegOf = (width: number, height: number, isDark = disc(width, height)): Promise<Buffer> =>
  sharp(pngOf(width, height, isDark))
    .jpeg({ quality: 90 })
    .toBuffer()

const PIXEL = sharp(pngOf(1, 1))
/** The smallest files of the types that are not printed as they are. */
export const WEBP = await PIXEL.clone().webp().toBuffer()
export const GIF = await PIXEL.clone().gif().toBuffer()
export const AVIF = await PIXEL.clone().avif({ effort: 0 }).toBuffer()

const segment = (marker: number, bytes: number[]) =>
  Buffer.from([0xff, marker, (bytes.length + 2) >> 8, (bytes.length + 2) & 255, ...bytes])
/** A Huffman table (ITU T.81, B.2.4.2) whose only code, a single 0 bit, is this symbol. */
const oneSymbol = (tableId: number, symbol: number) =>
  segment(0xc4, [tableId, 1, ...Array<number>(15).fill(0), symbol])
/** `count` times the bits 0 and fourteen 1, with a 0 byte behind every 0xff, as entropy-coded data. */
function longestRuns(count: number): Buffer {
  const bits = '011111111111111'.repeat(count).padEnd(Math.ceil((count * 15) / 8) * 8, '1')
  return Buffer.from(
    Array.from({ length: bits.length / 8 }, (_, at) => {
      const byte = Number.parseInt(bits.slice(at * 8, at * 8 + 8), 2)
      return byte === 255 ? [255, 0] : [byte]
    }).flat(),
  )
}

/**
 * A valid progressive JPEG in grey: every scan says in a few bytes that a coefficient of all blocks has one bit less or
 * more, and a decoder walks all blocks for it.
 */
export function jpegOfScans(width: number, height: number, scans: number): Buffer {
  const blocks = Math.ceil(width / 8) * Math.ceil(height / 8)
  const header = (from: number, to: number, bits: number) => segment(0xda, [1, 1, 0, from, to, bits])
  const runs = longestRuns(Math.ceil(blocks / 32_767))
  const refined = Array.from({ length: scans }, (_, n) => {
    // Each coefficient first comes without its 13 lowest bits, then with one more at a time.
    const [coefficient, low] = [1 + Math.floor(n / 14), 13 - (n % 14)]
    return [header(coefficient, coefficient, ((low === 13 ? 0 : low + 1) << 4) | low), runs]
  }).flat()
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xdb, [0, ...Array<number>(64).fill(1)]),
    segment(0xc2, [8, height >> 8, height & 255, width >> 8, width & 255, 1, 1, 0x11, 0]),
    oneSymbol(0x00, 0),
    oneSymbol(0x10, 0xe0),
    header(0, 0, 0),
    Buffer.alloc(Math.ceil(blocks / 8)),
    ...refined,
    Buffer.from([0xff, 0xd9]),
  ])
}

const chunk = (type: string, data: Buffer) => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}
const sizeChunk = (width: number, height: number) => {
  const data = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 0])
  data.writeUInt32BE(width, 0)
  data.writeUInt32BE(height, 4)
  return chunk('IHDR', data)
}

/** A PNG in grey whose header names this size; a second header, where there is one, names another. */
export const pngOfZeros = (width: number, height: number, second?: { width: number; height: number }) => {
  const real = second ?? { width, height }
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    sizeChunk(width, height),
    ...(second ? [sizeChunk(second.width, second.height)] : []),
    chunk('IDAT', deflateSync(Buffer.alloc((real.width + 1) * real.height))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}
