import { clean } from '../../../platform/print/format.ts'
import type { Language } from '../../../platform/print/print.ts'
import { localDay, money } from '../../kit/format.ts'
import { type Face, widthOf, wrapped } from '../../kit/print/helvetica.ts'
import { MILLIMETRE, pdfFile, pdfText, points } from '../../kit/print/pdf-file.ts'
import { inWinAnsi } from '../../kit/print/win-ansi.ts'
import type { Place } from '../shipping/schema.ts'
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
const LEADING = 1.2

/** What a typeface of western Europe can say of a text, on one line. */
const plain = (text: string): string => inWinAnsi(clean(text))

const textAt = (x: number, y: number, size: number, face: Face, text: string) =>
  `BT /${face === 'bold' ? 'B' : 'R'} ${points(size)} Tf ${points(x)} ${points(y)} Td ${pdfText(text)} Tj ET`
const lineAt = (y: number) => `${points(MARGIN)} ${points(y)} m ${points(WIDTH - MARGIN)} ${points(y)} l S`

type Box = {
  text: string
  x: number
  top: number
  width: number
  height: number
  face: Face
  most: number
  least: number
}

/** Sizes go down in steps of half a point until the text fits. */
const STEP = 0.5

/** A text as large as its box allows; what does not fit at the least size ends in an ellipsis. */
function boxed({ text, x, top, width, height, face, most, least }: Box): string[] {
  let size = most
  let lines = wrapped(text, width, size, face)
  while (size > least && lines.length * size * LEADING > height) {
    size -= STEP
    lines = wrapped(text, width, size, face)
  }
  const room = Math.max(1, Math.floor(height / (size * LEADING)))
  return lines.slice(0, room).map((line, index) => {
    const isCut = index === room - 1 && lines.length > room
    return textAt(x, top - size * (index * LEADING + 1), size, face, isCut ? `${line.slice(0, -3)}...` : line)
  })
}

/** One line in the largest size that fits. */
const oneLine = (
  text: string,
  at: { x: number; top: number; width: number; face: Face; most: number; least: number },
) => boxed({ ...at, text, height: at.most * LEADING })

const rightOf = (text: string, y: number, size: number, face: Face) =>
  textAt(WIDTH - MARGIN - widthOf(text, size, face), y, size, face, text)

const BARCODE_HEIGHT = 50
/** White on both sides, ten modules by the standard, without which readers do not find the code. */
const QUIET = 10

function barcode(waybill: string, top: number): string[] {
  const { bars, width } = code128(waybill)
  const module = INNER / (width + 2 * QUIET)
  return bars.map(
    (bar) =>
      `${points(MARGIN + (QUIET + bar.at) * module)} ${points(top - BARCODE_HEIGHT)} ${points(bar.width * module)} ${BARCODE_HEIGHT} re f`,
  )
}

const CODE_WIDTH = 70

function party(
  title: string,
  place: Place,
  { top, most, height }: { top: number; most: number; height: number },
) {
  const width = place.postalCode === null ? INNER : INNER - CODE_WIDTH
  const nameHeight = most * LEADING * 2
  const name = boxed({
    text: plain(place.contactName),
    x: MARGIN,
    top: top - 12,
    width,
    height: nameHeight,
    face: 'bold',
    most,
    least: 6,
  })
  const note = place.note ? ` (${place.note})` : ''
  const address = boxed({
    text: plain(place.address + note),
    x: MARGIN,
    top: top - 14 - nameHeight,
    width: INNER,
    height: height - 16 - nameHeight,
    face: 'regular',
    most: most - 1,
    least: 5,
  })
  return [
    textAt(MARGIN, top - 8, 8, 'bold', plain(`${title} · ${place.contactPhone}`)),
    ...(place.postalCode === null ? [] : [rightOf(place.postalCode, top - 22, most + 9, 'bold')]),
    ...name,
    ...address,
  ]
}

type Labelled = ShipmentRow & {
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
export function labelPdf(shipment: Labelled, language: Language): Buffer {
  const words = WORDS[language]
  const { waybillId, courierName, courierServiceName, insuredAmount } = shipment
  const top = HEIGHT - MARGIN
  const weight = `${words.weight} ${String(shipment.chargeableWeight / 1_000).replace('.', language === 'id' ? ',' : '.')} kg`
  const insured = insuredAmount === 0 ? '' : ` · ${words.insured} ${money(insuredAmount, 'IDR')}`
  const content = [
    '0 g 0.8 w',
    ...oneLine(plain(courierName), { x: MARGIN, top, width: INNER * 0.6, face: 'bold', most: 22, least: 8 }),
    rightOf(plain(courierServiceName), top - 20, 16, 'bold'),
    lineAt(top - 30),
    ...barcode(waybillId, top - 36),
    textAt((WIDTH - widthOf(waybillId, 14, 'bold')) / 2, top - 101, 14, 'bold', waybillId),
    lineAt(top - 108),
    ...party(words.to, shipment.destination, { top: top - 110, most: 13, height: 132 }),
    lineAt(top - 246),
    ...party(words.from, shipment.origin, { top: top - 248, most: 9, height: 76 }),
    lineAt(top - 328),
    ...oneLine(plain(`${weight}${insured} · ${localDay(shipment.createdAt)}`), {
      x: MARGIN,
      top: top - 330,
      width: INNER,
      face: 'bold',
      most: 9,
      least: 6,
    }),
    ...boxed({
      text: `${words.contents}: ${contents(shipment, words.more)}`,
      x: MARGIN,
      top: top - 343,
      width: INNER,
      height: 28,
      face: 'regular',
      most: 8,
      least: 5,
    }),
    ...oneLine(plain([shipment.reference ?? shipment.id, shipment.merchant].join(' · ')), {
      x: MARGIN,
      top: top - 374,
      width: INNER,
      face: 'regular',
      most: 7,
      least: 4,
    }),
  ].join('\n')
  return pdfFile({
    title: waybillId,
    faces: { regular: 'Helvetica', bold: 'Helvetica-Bold' },
    pages: [{ width: WIDTH, height: HEIGHT, content }],
  })
}
