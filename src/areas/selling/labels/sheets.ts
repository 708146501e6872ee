import { setImmediate } from 'node:timers/promises'
import { modulesOf, QUIET_MODULES } from '../../../core/paper/image.ts'
import type { Barcode } from '../../../core/paper/rows.ts'
import { createPdf, drawLine, MILLIMETRE, type Pdf } from '../../../platform/print/pdf.ts'
import { inWinAnsi } from '../../../platform/print/win-ansi.ts'
import type { Label, LabelRun } from './label.ts'
import { type LabelPaper, PAPERS, type PaperName } from './papers.ts'
import type { Design } from './rules.ts'

/** Points from the top left corner of the page. */
type Box = { x: number; y: number; width: number; height: number }
type Face = 'Helvetica' | 'Helvetica-Bold'

/** Shares of the height of a label; the name takes the rest. */
const SHARES = {
  PRICE: { figure: 0.22, per: 0.09, bars: 0.34, code: 0.1 },
  SHELF: { figure: 0.38, per: 0.1, bars: 0.2, code: 0.08 },
} as const satisfies Record<Design, unknown>
/** White around the content, in millimetres. */
const MARGIN = 1.5
/** A unit as short as "/kg" stands beside the price; the name of a pack has its own line. */
const SHORT_UNIT = 6
/** The widest module of a barcode, in millimetres: twice the width that readers need. */
const MODULE = 0.375
/** The narrowest that office printers draw and hand scanners read. */
const LEAST_MODULE = 0.15
const MOST_DOTS = 3
/** The part of a line that letters fill, as a share of their size. */
const LINE = 1.2
const STEP = 0.5
const LEAST_NAME = 5
const MOST_NAME = 14

/** The width of a module in points; null if the label is too narrow for the code. */
function moduleOf(barcode: Barcode, { label, dot }: LabelPaper): number | null {
  const room = label.width / modulesOf(barcode)
  if (dot === null) return room < LEAST_MODULE ? null : Math.min(MODULE, room) * MILLIMETRE
  const dots = Math.min(MOST_DOTS, Math.floor(room / dot))
  return dots === 0 ? null : dots * dot * MILLIMETRE
}

function drawBars(pdf: Pdf, barcode: Barcode, module: number, { x, y, width, height }: Box) {
  // A whole number of modules from the left edge, so that the bars of a label printer begin at a dot.
  let at = Math.floor((width / module - modulesOf(barcode)) / 2) + QUIET_MODULES
  for (const [index, bar] of barcode.bars.entries()) {
    if (index % 2 === 0) pdf.rect(x + at * module, y, bar * module, height)
    at += bar
  }
  pdf.fill()
}

/** One line in the middle of a box, as large as the box allows. */
function drawFitted(pdf: Pdf, text: string, face: Face, { x, y, width, height }: Box) {
  const most = height / LINE
  pdf.font(face, most)
  const size = Math.min(most, (most * width) / Math.max(1, pdf.widthOfString(text)))
  pdf.fontSize(size)
  drawLine(pdf, text, { x: x + (width - pdf.widthOfString(text)) / 2, y: y + (height + size * 0.72) / 2 })
}

/** A text over several lines, as large as the box allows. What does not fit at the least size ends in dots. */
function drawName(pdf: Pdf, text: string, { x, y, width, height }: Box) {
  let size = Math.min(MOST_NAME, height / LINE)
  pdf.font('Helvetica', size)
  while (size > LEAST_NAME && pdf.heightOfString(text, { width }) > height) {
    size -= STEP
    pdf.fontSize(size)
  }
  pdf.text(text, x, y, { width, height, align: 'center', ellipsis: '...' })
}

type Content = {
  name: string
  price: string
  per: string
  code: string
  barcode: Barcode | null
  module: number
}

function contentOf({ name, price, per, code, barcode }: Label, paper: LabelPaper): Content {
  const isShort = per.length <= SHORT_UNIT
  const module = barcode === null ? null : moduleOf(barcode, paper)
  return {
    name: inWinAnsi(name),
    price: isShort && per !== '' ? `${price} ${inWinAnsi(per)}` : price,
    per: isShort ? '' : inWinAnsi(per),
    code: inWinAnsi(code ?? ''),
    barcode: module === null ? null : barcode,
    module: module ?? 0,
  }
}

function drawLabel(pdf: Pdf, content: Content, design: Design, label: Box) {
  const { name, price, per, code, barcode, module } = content
  const share = SHARES[design]
  const margin = MARGIN * MILLIMETRE
  const [x, width, inner] = [label.x + margin, label.width - 2 * margin, label.height - 2 * margin]
  const heights = {
    per: per === '' ? 0 : share.per * inner,
    bars: barcode === null ? 0 : share.bars * inner,
    code: code === '' ? 0 : share.code * inner,
    figure: share.figure * inner,
  }
  const bottom = label.y + margin + inner
  const codeTop = bottom - heights.code
  const barsTop = codeTop - heights.bars
  const perTop = barsTop - heights.per - (heights.bars > 0 ? margin / 2 : 0)
  const priceTop = perTop - heights.figure
  const nameHeight = priceTop - label.y - margin
  drawName(pdf, name, { x, y: label.y + margin, width, height: nameHeight })
  drawFitted(pdf, price, 'Helvetica-Bold', { x, y: priceTop, width, height: heights.figure })
  if (per !== '') drawFitted(pdf, per, 'Helvetica', { x, y: perTop, width, height: heights.per })
  if (barcode) drawBars(pdf, barcode, module, { ...label, y: barsTop, height: heights.bars })
  if (code !== '') drawFitted(pdf, code, 'Helvetica', { x, y: codeTop, width, height: heights.code })
}

/** The page of a label and its place there, counted from the first label of the first page. */
function placeOf(paper: LabelPaper, at: number): { isFirst: boolean; box: Box } {
  const { columns, rows, left, top, stepX, stepY, label } = paper
  const onPage = at % (columns * rows)
  return {
    isFirst: onPage === 0,
    box: {
      x: (left + (onPage % columns) * stepX) * MILLIMETRE,
      y: (top + Math.floor(onPage / columns) * stepY) * MILLIMETRE,
      width: label.width * MILLIMETRE,
      height: label.height * MILLIMETRE,
    },
  }
}

type SheetOptions = { paper: PaperName; skip: number; design: Design; createdAt: string }

/** The labels as pages. The first page leaves out the `skip` labels that are used up. Other requests run between the pages. */
export function labelSheets(
  runs: readonly LabelRun[],
  { paper: name, skip, design, createdAt }: SheetOptions,
): Promise<Buffer> {
  const paper: LabelPaper = PAPERS[name]
  const { width, height } = paper.page
  const first = skip % (paper.columns * paper.rows)
  const contents = runs.map(({ label, copies }) => ({ content: contentOf(label, paper), copies }))
  return createPdf({ title: 'Labels', createdAt }, async (pdf) => {
    let at = first
    for (const { content, copies } of contents) {
      for (let copy = 0; copy < copies; copy += 1) {
        const { isFirst, box } = placeOf(paper, at)
        if (isFirst || at === first) {
          await setImmediate()
          pdf.addPage({ size: [width * MILLIMETRE, height * MILLIMETRE], margin: 0 })
        }
        drawLabel(pdf, content, design, box)
        at += 1
      }
    }
  })
}
