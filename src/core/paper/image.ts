/** Dots of a receipt printer, one bit each, 1 is black: rows of whole bytes, as wide as the printable area. */
export type Raster = { bytesAcross: number; rows: number; bits: Uint8Array }

/** Dots across the paper, on printers with 203 dots per inch: eight per millimetre. */
export const DOTS = { '58': 384, '80': 576 } as const
export const PAPERS = ['58', '80'] as const
type Paper = (typeof PAPERS)[number]

/** Bytes one after the other. The browser has no Buffer. */
export function joined(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}
const DOTS_PER_MM = 8
/** Thirty millimetres: a receipt needs no larger image. */
const MOST_ROWS = 240
type Size = { width: number; height: number }

/** The printed size of an image: one dot per pixel, scaled down if wider than the paper or too high. */
export function fitted({ width, height }: Size, paper: Paper) {
  const scale = Math.min(1, DOTS[paper] / width, MOST_ROWS / height)
  const dotsWide = Math.max(1, Math.floor(width * scale))
  const dotsHigh = Math.max(1, Math.floor(height * scale))
  return { dotsWide, dotsHigh, widthMm: dotsWide / DOTS_PER_MM, heightMm: dotsHigh / DOTS_PER_MM }
}

/** The brightness of a pixel on paper, 0 to 255. */
const lightOf = (red: number, green: number, blue: number) => (red * 299 + green * 587 + blue * 114) / 1000

/** How Floyd-Steinberg dithering distributes the error of a dot to the right and below, in sixteenths. */
const SHARES = [
  [1, 0, 7],
  [-1, 1, 3],
  [0, 1, 5],
  [1, 1, 1],
] as const

/** The bytes per row of dots on this paper. */
export const bytesAcross = (paper: Paper): number => DOTS[paper] / 8

/**
 * The dots of an image for a printer of this paper, centred. `points` are red, green and blue, one triple for each
 * dot of the size that `fitted` returns.
 */
export function rasterFrom(
  points: Uint8Array,
  { dotsWide, dotsHigh }: { dotsWide: number; dotsHigh: number },
  paper: Paper,
): Raster {
  const light = Float32Array.from({ length: dotsWide * dotsHigh }, (_, at) =>
    lightOf(points[at * 3] ?? 255, points[at * 3 + 1] ?? 255, points[at * 3 + 2] ?? 255),
  )
  const across = bytesAcross(paper)
  const margin = Math.floor((DOTS[paper] - dotsWide) / 2)
  const bits = new Uint8Array(across * dotsHigh)
  for (let y = 0; y < dotsHigh; y += 1) {
    for (let x = 0; x < dotsWide; x += 1) {
      const value = light[y * dotsWide + x] ?? 255
      const isBlack = value < 128
      if (isBlack) {
        const at = y * across + ((margin + x) >> 3)
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
  return { bytesAcross: across, rows: dotsHigh, bits }
}

/** Ten millimetres: a hand scanner reads it askew as well. */
const BAR_ROWS = 80
/** White on both sides of a barcode in modules, without which readers do not find it. */
export const QUIET_MODULES = 10
/** Wider bars take paper and read no better. */
const MOST_DOTS_PER_MODULE = 3

type Bars = { bars: readonly number[] }

export const modulesOf = ({ bars }: Bars): number =>
  bars.reduce((width, bar) => width + bar, 2 * QUIET_MODULES)

/** The dots of a barcode, centred, each module a whole number of dots. Null if the paper is too narrow for it. */
export function barcodeRaster(barcode: Bars, paper: Paper): Raster | null {
  const modules = modulesOf(barcode)
  const perModule = Math.min(MOST_DOTS_PER_MODULE, Math.floor(DOTS[paper] / modules))
  if (perModule === 0) return null
  const across = bytesAcross(paper)
  const line = new Uint8Array(across)
  let at = Math.floor((DOTS[paper] - modules * perModule) / 2) + QUIET_MODULES * perModule
  for (const [index, bar] of barcode.bars.entries()) {
    const end = at + bar * perModule
    if (index % 2 === 0) for (; at < end; at += 1) line[at >> 3] = (line[at >> 3] ?? 0) | (0x80 >> (at & 7))
    at = end
  }
  return {
    bytesAcross: across,
    rows: BAR_ROWS,
    bits: joined(Array.from({ length: BAR_ROWS }, () => line)),
  }
}

/** The dots for one paper, from a file with those of all papers in order. Throws if the file has another length. */
export function rasterIn(file: Uint8Array, size: Size, paper: Paper): Raster {
  const lengthFor = (one: Paper) => bytesAcross(one) * fitted(size, one).dotsHigh
  const lengths = PAPERS.map(lengthFor)
  const whole = lengths.reduce((sum, length) => sum + length, 0)
  if (file.length !== whole) throw new Error(`the dots take ${file.length} bytes, not ${whole}`)
  const start = PAPERS.slice(0, PAPERS.indexOf(paper)).reduce((sum, one) => sum + lengthFor(one), 0)
  const rows = fitted(size, paper).dotsHigh
  return { bytesAcross: bytesAcross(paper), rows, bits: file.subarray(start, start + lengthFor(paper)) }
}
