import { inline, pagePolicy } from '../../../../platform/http/pages.ts'
import { clean } from './format.ts'
import type { Paper } from './layout.ts'
import { type Receipt, type Row, rowsOf } from './rows.ts'

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escaped = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '')

const styleOf = (paper: Paper): string => `@page{size:${paper}mm auto;margin:0}
body{width:${paper}mm;margin:0 auto;padding:3mm;box-sizing:border-box;color:#000;background:#fff;
font:${paper === '58' ? 11 : 13}px/1.35 ui-monospace,Menlo,Consolas,monospace;overflow-wrap:anywhere}
p{margin:0}.c{text-align:center}.b{font-weight:700}.i{padding-left:2ch}
.p{display:flex;justify-content:space-between;gap:1ch}.p span+span{text-align:right;white-space:nowrap}
h2{margin:1mm 0;text-align:center;font-size:1.6em;border:2px solid}
hr{border:0;border-top:1px dashed;margin:1.5mm 0}`

function rowHtml(row: Row): string {
  switch (row.kind) {
    case 'rule':
      return '<hr>'
    case 'banner':
      return `<h2>${escaped(row.text)}</h2>`
    case 'text':
      return `<p class="${row.align === 'center' ? 'c' : 'l'}${row.bold ? ' b' : ''}">${escaped(row.text)}</p>`
    case 'pair': {
      const style = `p${row.bold ? ' b' : ''}${row.indent > 0 ? ' i' : ''}`
      return `<p class="${style}"><span>${escaped(row.left)}</span><span>${escaped(row.right)}</span></p>`
    }
  }
}

/** The receipt as a page that needs nothing else: no script, no font, no image; `paper` is its width in millimetres. */
export const receiptHtml = (receipt: Receipt, paper: Paper): string =>
  `<!doctype html>
<html lang="${receipt.language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escaped(clean(receipt.sale.number))}</title><style>${styleOf(paper)}</style></head>
<body>
${rowsOf(receipt).map(rowHtml).join('\n')}
</body></html>
`

/** Nothing but the page's own style. A register of this service may hold it in a frame, to print it. */
export const receiptPolicy = (paper: Paper): string =>
  pagePolicy({ 'style-src': inline(styleOf(paper)), 'frame-ancestors': "'self'" })
