import { encode } from 'uqr'
import { bytesAcross, DOTS, joined, type Raster } from './image.ts'

/** White around the code, in modules, as the standard asks for. */
const QUIET = 4
/** Thirty millimetres at eight dots per millimetre: a phone reads it at arm's length. */
const MOST_DOTS = 240

const modulesOf = (text: string) => encode(text, { ecc: 'M', border: QUIET })

/** The dots of a QR code, centred, each module a whole number of dots. */
export function qrRaster(text: string, paper: keyof typeof DOTS): Raster {
  const { size, data } = modulesOf(text)
  const perModule = Math.max(1, Math.floor(MOST_DOTS / size))
  const across = bytesAcross(paper)
  const left = Math.floor((DOTS[paper] - size * perModule) / 2)
  const lines = data.flatMap((row) => {
    const line = new Uint8Array(across)
    for (let dot = 0; dot < size * perModule; dot += 1) {
      if (row[Math.floor(dot / perModule)]) {
        const at = left + dot
        line[at >> 3] = (line[at >> 3] ?? 0) | (0x80 >> (at & 7))
      }
    }
    return Array.from({ length: perModule }, () => line)
  })
  return { bytesAcross: across, rows: lines.length, bits: joined(lines) }
}

/** The dark modules as the path of a picture that is `size` wide and high. */
export function qrPath(text: string): { size: number; path: string } {
  const { size, data } = modulesOf(text)
  const squares = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
  return { size, path: squares.join('') }
}
