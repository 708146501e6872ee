import { escaped } from '../../core/markup.ts'
import { clean } from '../../core/paper/format.ts'
import { fitted, modulesOf, QUIET_MODULES } from '../../core/paper/image.ts'
import { COLUMNS, type Paper, wrap } from '../../core/paper/layout.ts'
import { qrPath } from '../../core/paper/qr.ts'
import type { Barcode, Image, PaperRow } from '../../core/paper/rows.ts'
import { inline, pagePolicy } from './pages.ts'

/** The unprinted margin on either side of the paper; the rest holds the columns of `COLUMNS`. */
const MARGIN_MM = { '58': 5, '80': 4 } as const
const LETTER_MM = 2.4
const LINE_MM = LETTER_MM * 1.4
const RULE_MM = 2.65
const BANNER_MM = LETTER_MM * 1.6 * 1.4 + 2.8
const ENDS_MM = 12
const IMAGE_GAP_MM = 2
const BARCODE_MM = 10
const QR_MM = 30
/**
 * The maximum height of a page: a PDF page can be at most 200 inches long. A longer receipt continues on the next
 * page.
 */
const LONGEST_MM = 5_000
/** Glyphs missing from the monospaced font come from fonts of other widths. */
const FOREIGN_SHARE = 0.8

/**
 * Estimates the height of the paper, because CSS cannot say "as long as the text". It is never too small, so that a
 * receipt is one page, and at most a few lines too large.
 */
function heightOf(rows: readonly PaperRow[], paper: Paper): number {
  const columns = COLUMNS[paper]
  const linesIn = (text: string, room: number) =>
    wrap(text, /^[ -~]*$/.test(text) ? room : Math.floor(room * FOREIGN_SHARE)).length
  const heights = rows.map((row) => {
    if (row.kind === 'rule' || row.kind === 'cut') return RULE_MM
    if (row.kind === 'barcode') return BARCODE_MM
    if (row.kind === 'qr') return QR_MM
    if (row.kind === 'image') return fitted(row, paper).heightMm + IMAGE_GAP_MM
    if (row.kind === 'banner') return BANNER_MM
    if (row.kind === 'text') return LINE_MM * linesIn(row.text, columns)
    const room = columns - row.indent
    if (row.right === '') return LINE_MM * linesIn(row.left, room)
    const together = linesIn(`${row.left.replaceAll(' ', '_')}_${row.right.replaceAll(' ', '_')}`, room) === 1
    return LINE_MM * (together ? 1 : linesIn(row.left, room) + linesIn(row.right, room))
  })
  return Math.min(LONGEST_MM, Math.ceil(heights.reduce((height, part) => height + part, ENDS_MM)))
}

/**
 * On paper a millimetre is a millimetre; on a screen the receipt is enlarged to the window. A figure that does not
 * fit beside its label takes its own line at the right edge.
 */
const styleOf = (paper: Paper, height: number): string => `@page{size:${paper}mm ${height}mm;margin:0}
:root{--mm:1mm}@media screen{:root{--mm:min(1.6mm,96vw/${paper})}}
body{box-sizing:border-box;width:calc(${paper}*var(--mm));margin:0 auto;padding:calc(4*var(--mm)) calc(${MARGIN_MM[paper]}*var(--mm));
overflow-x:clip;color:#000;background:#fff;font:calc(${LETTER_MM}*var(--mm))/1.4 ui-monospace,Menlo,Consolas,'DejaVu Sans Mono','Liberation Mono',monospace;overflow-wrap:anywhere}
p,h2,hr{margin:0;break-inside:avoid}.c{text-align:center}.b{font-weight:700}.i{padding-left:2ch}
.p{display:flex;flex-wrap:wrap;justify-content:space-between;column-gap:1ch}.p span+span{margin-left:auto;text-align:right}
h2{margin:calc(1*var(--mm)) 0;text-align:center;font-size:1.6em;border:calc(.4*var(--mm)) solid}
hr{margin:calc(1.2*var(--mm)) 0;border:0;border-top:calc(.25*var(--mm)) dashed}`

/** The font size of the printer. */
function imageStyle(image: Image | undefined, paper: Paper): string {
  if (!image) return ''
  const { widthMm, heightMm } = fitted(image, paper)
  return `img{display:block;margin:0 auto calc(${IMAGE_GAP_MM}*var(--mm));width:calc(${widthMm}*var(--mm));height:calc(${heightMm}*var(--mm))}
`
}

const CODE_STYLE = `svg{display:block;margin:0 auto;width:100%;height:calc(${BARCODE_MM}*var(--mm))}svg.q{width:calc(${QR_MM}*var(--mm));height:calc(${QR_MM}*var(--mm))}
`

/** The bars as one shape, stretched to the height of the style. */
function barcodeHtml(barcode: Barcode): string {
  let at = QUIET_MODULES
  const bars = barcode.bars.map((width, index) => {
    const bar = index % 2 === 0 ? `M${at} 0h${width}v1h-${width}z` : ''
    at += width
    return bar
  })
  return `<svg viewBox="0 0 ${modulesOf(barcode)} 1" preserveAspectRatio="none" shape-rendering="crispEdges" role="img" aria-label="${escaped(barcode.text)}"><path d="${bars.join('')}"/></svg>`
}

function qrHtml(text: string): string {
  const { size, path } = qrPath(text)
  return `<svg class="q" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges" role="img" aria-label="${escaped(text)}"><path d="${path}"/></svg>`
}

function rowHtml(row: PaperRow): string {
  switch (row.kind) {
    case 'image':
      return `<img src="${escaped(row.url)}" alt="">`
    case 'rule':
    case 'cut':
      return '<hr>'
    case 'barcode':
      return barcodeHtml(row)
    case 'qr':
      return qrHtml(row.text)
    case 'banner':
      return `<h2>${escaped(row.text)}</h2>`
    case 'text':
      return `<p class="${row.align === 'center' ? 'c' : 'l'}${row.bold ? ' b' : ''}">${escaped(row.text)}</p>`
    case 'pair': {
      const style = `p${row.bold ? ' b' : ''}${row.indent > 0 ? ' i' : ''}`
      const figure = row.right === '' ? '' : `<span>${escaped(row.right)}</span>`
      return `<p class="${style}"><span>${escaped(row.left)}</span>${figure}</p>`
    }
  }
}

/** The title of a page (browser tab and file name), its language, and its rows. Search engines leave a private one out. */
export type PaperPage = { title: string; language: string; rows: readonly PaperRow[]; isPrivate?: boolean }

const NO_INDEX = '<meta name="robots" content="noindex">'

/**
 * Rows as a page that loads nothing except its optional first image: no script, no font. `paper` is its width in
 * millimetres. The content security policy allows the inline style by its hash, which depends on the paper, its
 * height and the image's. A register of this service may frame the page to print it.
 */
export function pageOf(
  { title, language, rows, isPrivate = false }: PaperPage,
  paper: Paper,
): { html: string; policy: string } {
  const image = rows.find((row) => row.kind === 'image')
  const codes = rows.some(({ kind }) => kind === 'barcode' || kind === 'qr') ? CODE_STYLE : ''
  const style = imageStyle(image, paper) + codes + styleOf(paper, heightOf(rows, paper))
  const html = `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">${isPrivate ? NO_INDEX : ''}
<title>${escaped(clean(title))}</title><style>${style}</style></head>
<body>
${rows.map(rowHtml).join('\n')}
</body></html>
`
  const images: { 'img-src'?: string } = image ? { 'img-src': new URL(image.url).origin } : {}
  const policy = pagePolicy({ 'style-src': inline(style), 'frame-ancestors': "'self'", ...images })
  return { html, policy }
}
