import { PNG } from 'pngjs'
import { encode, renderSVG } from 'uqr'

/** Four modules of white on every side, without which readers do not find the code (ISO/IEC 18004). */
const OPTIONS = { ecc: 'M', border: 4 } as const
const MODULE_PX = 8

export const qrSvg = (text: string): string => renderSVG(text, { ...OPTIONS, pixelSize: MODULE_PX })

export function qrPng(text: string): Buffer {
  const { data, size } = encode(text, OPTIONS)
  const width = size * MODULE_PX
  const png = new PNG({ width, height: width, colorType: 0 })
  for (let at = 0; at < width * width; at += 1) {
    const [x, y] = [Math.floor((at % width) / MODULE_PX), Math.floor(at / width / MODULE_PX)]
    const shade = data[y]?.[x] ? 0 : 255
    png.data.fill(shade, at * 4, at * 4 + 3)
    png.data[at * 4 + 3] = 255
  }
  return PNG.sync.write(png, { colorType: 0 })
}
