import {
  clean,
  createPdf,
  drawLine,
  inWinAnsi,
  type Language,
  MILLIMETRE,
  type Pdf,
} from 'kasir/partner-tools'
import { localDay, money } from '../../kit/format.ts'
import type { ShippingPlace } from '../shipping/schema.ts'
import { code128 } from './code128.ts'
import type { ShipmentRow } from './store.ts'

const WORDS = {
  id: {
    to: 'PENERIMA',
    from: 'PENGIRIM',
    weight: 'Berat',
    insured: 'Asuransi',
    contents: 'Isi',
    more: 'lainnya',
  },
  en: { to: 'TO', from: 'FROM', weight: 'Weight', insured: 'Insured', contents: 'Contents', more: 'more' },
} as const satisfies Record<Language, unknown>

/** A6, the paper of label printers and a quarter of the sheet in any other. */
const WIDTH = 105 * MILLIMETRE
const HEIGHT = 148 * MILLIMETRE
const MARGIN = 5 * MILLIMETRE
const INNER = WIDTH - 2 * MARGIN

/** Text on one line, in characters that the standard fonts have. */
const plain = (text: string): string => inWinAnsi(clean(text))

type Face = 'Helvetica' | 'Helvetica-Bold'
type TextStyle = { face: Face; size: number }
type FittedText = { text: string; face: Face; most: number; least: number }
type Box = { x: number; top: number; width: number; height: number }

/** The size goes down in steps of half a point until the text fits. */
const STEP = 0.5

/** Draws a text as large as its box allows. What does not fit at the least size ends in an ellipsis. */
function drawBox(pdf: Pdf, { text, face, most, least }: FittedText, { x, top, width, height }: Box) {
  let size = most
  pdf.font(face, size)
  while (size > least && pdf.heightOfString(text, { width }) > height) {
    size -= STEP
    pdf.fontSize(size)
  }
  pdf.text(text, x, top, { width, height, ellipsis: '...' })
}

/** The height of one line, as a multiple of the size of its letters. */
const LINE = 1.2

const drawFitted = (pdf: Pdf, text: FittedText, box: Omit<Box, 'height'>) =>
  drawBox(pdf, text, { ...box, height: text.most * LINE })

function drawLeft(pdf: Pdf, text: string, y: number, { face, size }: TextStyle) {
  pdf.font(face, size)
  drawLine(pdf, text, { x: MARGIN, y })
}

function drawCentered(pdf: Pdf, text: string, y: number, { face, size }: TextStyle) {
  pdf.font(face, size)
  drawLine(pdf, text, { x: (WIDTH - pdf.widthOfString(text)) / 2, y })
}

function drawRight(pdf: Pdf, text: string, y: number, { face, size }: TextStyle) {
  pdf.font(face, size)
  drawLine(pdf, text, { x: WIDTH - MARGIN - pdf.widthOfString(text), y })
}

function drawRule(pdf: Pdf, y: number) {
  pdf
    .moveTo(MARGIN, y)
    .lineTo(WIDTH - MARGIN, y)
    .lineWidth(0.8)
    .stroke()
}

const BARCODE_HEIGHT = 50
/** White on both sides, ten modules by the standard, without which readers do not find the code. */
const QUIET = 10

function drawBarcode(pdf: Pdf, waybill: string, top: number) {
  const { bars, width } = code128(waybill)
  const module = INNER / (width + 2 * QUIET)
  for (const bar of bars) {
    pdf.rect(MARGIN + (QUIET + bar.at) * module, top, bar.width * module, BARCODE_HEIGHT)
  }
  pdf.fill()
}

const CODE_WIDTH = 70

function drawParty(
  pdf: Pdf,
  { title, place }: { title: string; place: ShippingPlace },
  { top, most, height }: { top: number; most: number; height: number },
) {
  const width = place.postalCode === null ? INNER : INNER - CODE_WIDTH
  const nameHeight = most * LINE * 2
  const note = place.note ? ` (${place.note})` : ''
  drawLeft(pdf, plain(`${title} · ${place.contactPhone}`), top + 8, { face: 'Helvetica-Bold', size: 8 })
  if (place.postalCode !== null) {
    drawRight(pdf, place.postalCode, top + 22, { face: 'Helvetica-Bold', size: most + 9 })
  }
  drawBox(
    pdf,
    { text: plain(place.contactName), face: 'Helvetica-Bold', most, least: 6 },
    { x: MARGIN, top: top + 14, width, height: nameHeight },
  )
  drawBox(
    pdf,
    { text: plain(place.address + note), face: 'Helvetica', most: most - 1, least: 5 },
    { x: MARGIN, top: top + 16 + nameHeight, width: INNER, height: height - 18 - nameHeight },
  )
}

type LabelData = ShipmentRow & {
  waybillId: string
  merchant: string
  courierName: string
  courierServiceName: string
}

const CONTENTS_SHOWN = 4

function contents({ items }: ShipmentRow, more: string): string {
  const shown = items.slice(0, CONTENTS_SHOWN).map(({ quantity, name }) => `${quantity}x ${name}`)
  const rest = items.length - shown.length
  return plain([...shown, ...(rest > 0 ? [`+${rest} ${more}`] : [])].join(', '))
}

/** The label that is stuck on the parcel: A6, in black, with the waybill as Code 128. */
export function labelPdf(shipment: LabelData, language: Language): Promise<Buffer> {
  const words = WORDS[language]
  const { waybillId, courierName, courierServiceName, insuredAmount, createdAt } = shipment
  const weight = `${words.weight} ${String(shipment.chargeableWeight / 1_000).replace('.', language === 'id' ? ',' : '.')} kg`
  const insured = insuredAmount === 0 ? '' : ` · ${words.insured} ${money(insuredAmount, 'IDR')}`
  const top = MARGIN
  const line = { x: MARGIN, width: INNER }
  return createPdf({ title: waybillId, createdAt }, (pdf) => {
    pdf.addPage({ size: [WIDTH, HEIGHT], margin: 0 })
    drawFitted(
      pdf,
      { text: plain(courierName), face: 'Helvetica-Bold', most: 22, least: 8 },
      { x: MARGIN, top: top + 4, width: INNER * 0.6 },
    )
    drawRight(pdf, plain(courierServiceName), top + 20, { face: 'Helvetica-Bold', size: 16 })
    drawRule(pdf, top + 30)
    drawBarcode(pdf, waybillId, top + 36)
    drawCentered(pdf, waybillId, top + 101, { face: 'Helvetica-Bold', size: 14 })
    drawRule(pdf, top + 108)
    drawParty(
      pdf,
      { title: words.to, place: shipment.destination },
      { top: top + 110, most: 13, height: 132 },
    )
    drawRule(pdf, top + 246)
    drawParty(pdf, { title: words.from, place: shipment.origin }, { top: top + 248, most: 9, height: 76 })
    drawRule(pdf, top + 328)
    drawFitted(
      pdf,
      {
        text: plain(`${weight}${insured} · ${localDay(createdAt)}`),
        face: 'Helvetica-Bold',
        most: 9,
        least: 6,
      },
      { ...line, top: top + 332 },
    )
    drawBox(
      pdf,
      { text: `${words.contents}: ${contents(shipment, words.more)}`, face: 'Helvetica', most: 8, least: 5 },
      { ...line, top: top + 345, height: 28 },
    )
    drawFitted(
      pdf,
      {
        text: plain([shipment.reference ?? shipment.id, shipment.merchant].join(' · ')),
        face: 'Helvetica',
        most: 7,
        least: 4,
      },
      { ...line, top: top + 376 },
    )
  })
}
