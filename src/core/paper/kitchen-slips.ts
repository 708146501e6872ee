import { labelOf } from '../labels.ts'
import type { StationPrinters } from '../printing.ts'
import { isWeighed } from '../sale-totals.ts'
import { kilograms } from '../weights.ts'
import { clean, cleanLines } from './format.ts'
import { WORDS } from './receipt-words.ts'
import { centered, left, type PaperRow, pair, RULE } from './rows.ts'

type KitchenLine = {
  id: string
  productName: string
  variantName: string
  quantity: number
  pack: { name: string } | null
  soldBy: 'WEIGHT' | null
  modifiers: readonly { name: string }[] | null
  note: string | null
  station: string | null
  kitchenStatus: string
  isActive: boolean
}

/** A sale as the kitchen's slips need it. */
export type KitchenOrder = {
  number: string
  status: string
  orderType: 'DINE_IN' | 'TAKEAWAY' | 'DELIVERY' | null
  tableId: string | null
  tableLabel: string | null
  note: string | null
  items: readonly KitchenLine[]
}

export type Slip = { station: string; rows: PaperRow[] }

type Change = { line: KitchenLine; quantity: number }
type StationChanges = { added: Change[]; cancelled: Change[]; moved: Change[] }

const isKitchenSale = ({ orderType, status }: KitchenOrder) => orderType !== null && status !== 'VOIDED'

/** The items that the kitchen has to know of. A served item is no longer the kitchen's. */
const linesOf = (order: KitchenOrder | null): Map<string, KitchenLine> =>
  new Map(
    order && isKitchenSale(order)
      ? order.items.filter(({ isActive }) => isActive).map((line) => [line.id, line])
      : [],
  )

/** The text of an item apart from its quantity: with another text it is another order. */
const textOf = ({ productName, variantName, pack, modifiers, note, station }: KitchenLine) =>
  JSON.stringify([
    productName,
    variantName,
    pack?.name,
    (modifiers ?? []).map(({ name }) => name),
    note,
    station,
  ])

function changesOf(before: KitchenOrder | null, after: KitchenOrder): Map<string, StationChanges> {
  const changes = new Map<string, StationChanges>()
  const note = (what: keyof StationChanges, line: KitchenLine, quantity: number) => {
    if (line.station === null || quantity <= 0) return
    const own = changes.get(line.station) ?? { added: [], cancelled: [], moved: [] }
    changes.set(line.station, own)
    own[what].push({ line, quantity })
  }
  const [earlier, now] = [linesOf(before), linesOf(after)]
  const isMoved = before !== null && before.tableId !== after.tableId
  for (const line of now.values()) {
    const was = earlier.get(line.id)
    if (!was || textOf(was) !== textOf(line)) {
      if (was && was.kitchenStatus !== 'SERVED') note('cancelled', was, was.quantity)
      note('added', line, line.quantity)
      continue
    }
    if (line.quantity > was.quantity) note('added', line, line.quantity - was.quantity)
    if (was.kitchenStatus === 'SERVED') continue
    if (line.quantity < was.quantity) note('cancelled', was, was.quantity - line.quantity)
    if (isMoved) note('moved', line, Math.min(line.quantity, was.quantity))
  }
  for (const was of earlier.values()) {
    if (!now.has(was.id) && was.kitchenStatus !== 'SERVED') note('cancelled', was, was.quantity)
  }
  return changes
}

const placeOf = ({ tableLabel, orderType }: KitchenOrder): string =>
  tableLabel === null ? WORDS.id.orderType[orderType ?? 'DINE_IN'] : `Meja ${clean(tableLabel)}`

const bold = (text: string): PaperRow => ({ kind: 'text', text, align: 'left', bold: true })

/** A quantity such as 2, 1 strip, or 0,750 kg. */
function countOf({ line, quantity }: Change): string {
  if (isWeighed(line)) return kilograms(quantity, ',')
  return line.pack ? `${quantity} ${clean(line.pack.name)}` : String(quantity)
}

const lineRows = (change: Change, word = ''): PaperRow[] => [
  bold(`${word}${countOf(change)} x ${clean(labelOf(change.line.productName, change.line.variantName))}`),
  ...(change.line.modifiers ?? []).map(({ name }) => pair(`+ ${clean(name)}`, '', { indent: 2 })),
  ...cleanLines(change.line.note).map((text) => pair(`* ${text}`, '', { indent: 2 })),
]

function rowsOf(
  station: string,
  changes: StationChanges,
  before: KitchenOrder | null,
  after: KitchenOrder,
): PaperRow[] {
  const { added, cancelled, moved } = changes
  const isCancelledOnly = added.length === 0 && moved.length === 0
  // A bill that was dropped has no table any more: the slip names the one that the kitchen knows.
  const place = placeOf(isKitchenSale(after) || before === null ? after : before)
  const banner = (text: string): PaperRow => ({ kind: 'banner', text })
  return [
    ...(isCancelledOnly ? [banner('BATAL')] : []),
    ...(moved.length === 0
      ? []
      : [banner('PINDAH MEJA'), centered(`${before ? placeOf(before) : ''} -> ${place}`, true)]),
    banner(place),
    pair(clean(station), after.number, { bold: true }),
    RULE,
    ...added.flatMap((change) => lineRows(change)),
    ...moved.flatMap((change) => lineRows(change, 'PINDAH ')),
    ...cancelled.flatMap((change) => lineRows(change, 'BATAL ')),
    ...(after.note === null || isCancelledOnly ? [] : [RULE, ...cleanLines(after.note).map(left)]),
  ]
}

/** The slips that a saved sale sends to the kitchen: one for each mapped station with changes, and only the changes (B-print-1). */
export function slipsOf(
  before: KitchenOrder | null,
  after: KitchenOrder,
  printers: Readonly<Record<string, unknown>>,
): Slip[] {
  return [...changesOf(before, after)]
    .filter(([station]) => Object.hasOwn(printers, station))
    .map(([station, changes]) => ({ station, rows: rowsOf(station, changes, before, after) }))
}

/** Whether a printer would print an item of the sale. */
export const isForKitchen = (
  { orderType, items }: { orderType: string | null; items: readonly { station: string | null }[] },
  printers: StationPrinters,
): boolean =>
  orderType !== null && items.some(({ station }) => station !== null && Object.hasOwn(printers, station))
