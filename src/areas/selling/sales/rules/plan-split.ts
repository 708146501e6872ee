import { assert } from '../../../../core/assert.ts'
import { invalid } from '../../../../core/errors.ts'
import { mulDivFloor } from '../../../../core/money.ts'

/** The least a line must tell to be split; everything else it carries, its kitchen state too, travels along. */
export type SplittableLine = { id: string; quantity: number; discount: number; isActive: boolean }

/** `stay` are the active lines of the old bill as they remain, `move` those of the new one. */
export type BillSplit<Line extends SplittableLine> = {
  stay: Line[]
  /** `wholeLine`: the row itself changes bills; else `line` is a copy to be stored under an id of its own. */
  move: { line: Line; wholeLine: boolean }[]
}

type Take = readonly { id: string; quantity: number }[]

function takenById(lines: readonly SplittableLine[], take: Take): Map<string, number> {
  const byId = new Map(lines.map((line) => [line.id, line]))
  const taken = new Map<string, number>()
  take.forEach(({ id, quantity }, index) => {
    const line = byId.get(id)
    assert(line, 'the caller has looked for every line that is named')
    if (!line.isActive)
      throw invalid(`items[${index}].id`, 'This line was cancelled: there is nothing left of it to move')
    if (taken.has(id)) {
      throw invalid(
        `items[${index}].id`,
        'This line is in the list twice: send it once with the total quantity',
      )
    }
    if (quantity > line.quantity) {
      throw invalid(`items[${index}].quantity`, `The bill holds only ${line.quantity} of this line`)
    }
    taken.set(id, quantity)
  })
  return taken
}

/**
 * Splits lines off an open bill: `take` names what moves (quantity ≥ 1). The discount of a line moves in proportion to
 * the quantity, rounded down, and the rest stays, so no rupiah appears or is lost. Cancelled lines stay behind.
 * Whether the old bill still covers what was paid on it is for the caller to check once it is priced.
 * 422: `items` empty or taking everything, `items[i].id` repeated or cancelled, `items[i].quantity` above the line.
 * Whether the lines are of this bill is the caller's to check before (`requireOnBill`).
 */
export function planSplit<Line extends SplittableLine>(lines: readonly Line[], take: Take): BillSplit<Line> {
  if (take.length === 0) throw invalid('items', 'Name at least one line to move to the new bill')
  const taken = takenById(lines, take)
  const split: BillSplit<Line> = { stay: [], move: [] }
  for (const line of lines.filter((candidate) => candidate.isActive)) {
    const quantity = taken.get(line.id) ?? 0
    const discount = mulDivFloor(line.discount, quantity, line.quantity)
    const wholeLine = quantity === line.quantity
    if (quantity > 0) split.move.push({ line: { ...line, quantity, discount }, wholeLine })
    if (wholeLine) continue
    split.stay.push({ ...line, quantity: line.quantity - quantity, discount: line.discount - discount })
  }
  if (split.stay.length === 0) {
    throw invalid(
      'items',
      'Something must stay on the bill: to move everything, change its table or customer',
    )
  }
  return split
}
