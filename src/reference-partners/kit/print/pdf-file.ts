import { assert } from '../../../core/assert.ts'
import { inWinAnsi, winAnsiBytes } from './win-ansi.ts'

/** In points (1 point is 1/72 inch). */
export const MILLIMETRE = 72 / 25.4

/** A length as a PDF writes it. */
export const points = (value: number) => value.toFixed(2)

/** Text as a PDF writes it: hexadecimal, so that no letter of a name can end it. */
export const pdfText = (text: string) => `<${winAnsiBytes(text).toString('hex')}>`

type Page = { width: number; height: number; content: string }
type File = { title: string; faces: { regular: string; bold: string }; pages: readonly Page[] }

/**
 * Pages as a PDF (ISO 32000-1). The faces, `/R` and `/B` in the content, are of those that every reader brings along:
 * nothing is embedded.
 */
export function pdfFile({ title, faces, pages }: File): Buffer {
  const font = (face: string) =>
    `<< /Type /Font /Subtype /Type1 /BaseFont /${face} /Encoding /WinAnsiEncoding >>`
  const first = 6
  const kids = pages.map((_, index) => `${first + 2 * index} 0 R`).join(' ')
  return assembled([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    font(faces.regular),
    font(faces.bold),
    `<< /Title ${pdfText(inWinAnsi(title))} /Producer (Kasir) >>`,
    ...pages.flatMap(({ content, width, height }, index) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${points(width)} ${points(height)}] /Resources << /Font << /R 3 0 R /B 4 0 R >> >> /Contents ${first + 2 * index + 1} 0 R >>`,
      `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    ]),
  ])
}

function assembled(objects: readonly string[]): Buffer {
  let file = '%PDF-1.4\n'
  const places = objects.map((object, index) => {
    const at = file.length
    file += `${index + 1} 0 obj\n${object}\nendobj\n`
    return at
  })
  const start = file.length
  const table = places.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('')
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}`
  file += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R /Info 5 0 R >>\nstartxref\n${start}\n%%EOF\n`
  assert(/^[\n -~]*$/.test(file), 'all of the file is ASCII, so a character is a byte')
  return Buffer.from(file, 'latin1')
}
