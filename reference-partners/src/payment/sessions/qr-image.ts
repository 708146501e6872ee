import { encode, renderSVG } from 'uqr'

/** Four modules of white on every side, without which readers do not find the code (ISO/IEC 18004). */
const OPTIONS = { ecc: 'M', border: 4 } as const
const MODULE_PX = 8

export const qrSvg = (text: string): string => renderSVG(text, { ...OPTIONS, pixelSize: MODULE_PX })

export async function qrPng(text: string): Promise<Buffer> {
  const { default: sharp } = await import('sharp')
  const { data, size } = encode(text, OPTIONS)
  const shades = Uint8Array.from(data.flat(), (isDark) => (isDark ? 0 : 255))
  const width = size * MODULE_PX
  return sharp(shades, { raw: { width: size, height: size, channels: 1 } })
    .resize(width, width, { kernel: 'nearest' })
    .toColourspace('b-w')
    .png()
    .toBuffer()
}
