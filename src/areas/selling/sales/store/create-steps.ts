import { assert } from '../../../../core/assert.ts'
import {
  inTwoFlights,
  isTransaction,
  named,
  namedWrite,
  type Tx,
  together,
  type WriteDb,
} from '../../../../platform/db/open.ts'
import { statement, writeStatement } from '../../../../platform/db/statement.ts'
import { type EventRow, sendRows } from '../../../../platform/events/outbox.ts'
import { keepReply, tryKey } from '../../../../platform/http/idempotency.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { sellablesHeld } from '../../../catalogue/products/index.ts'
import type { NewSale, PlainMove, SaleEvent } from './fresh.ts'
import { hasCrossed, isShort, type LoweredLevel, lowEvent, shortageOf } from './lowered.ts'
import { answersInOrder, sendInOrder } from './parts.ts'
import { batchOf, isNotFollowed, keyIsNew, type ShopFact, shopHolds } from './proof.ts'
import { insertItems, insertMovements, insertPayments, insertSaleRow, lowerLevels } from './rows.ts'

/**
 * The same sale as that of create.ts in plain steps, for rows that are spread over workers: one statement would be carried
 * out there as many, each on every worker. The order of its locks is the same, so both forms may sell side by side.
 */

const PROVED: Readonly<Record<ShopFact, string>> = {
  outlet_id: '$3::text',
  outlet_seen: '$4::text',
  policy_seen: '$5::text',
  guard_shift_id: '$6::text',
  actor_id: '$7::text',
  api_key_id: '$8::text',
  key: '$9::text',
}
/** Locks the variants and reads their present state. Tells whether the other facts that the sale was decided from still hold. */
const PROVE = statement(
  'sale_prove',
  sellablesHeld(
    '$2',
    `, (${PROVED.key} is null or ${keyIsNew('$1::text', PROVED.key)}) and ($10::boolean or ${isNotFollowed('$1::text')})
      and ${batchOf('$1::text', PROVED.outlet_id, '= any($2::text[])')} is null
      and ${shopHolds('$1::text', (fact) => PROVED[fact])} as holds`,
  ),
)

const SHARE_SHIFT = statement(
  'sale_share_shift',
  `select h.id from shifts h where h.account_id = $1 and h.id = $2 and h.status = 'OPEN' for share`,
)

const NEXT_NUMBER = writeStatement(
  'sale_next_number',
  `insert into outlet_days as d (account_id, outlet_id, day, last_number) values ($1, $2, $3::date, 1)
    on conflict (account_id, outlet_id, day) do update set last_number = d.last_number + 1
    returning last_number as "lastNumber"`,
)

/** Facts read before the locks have changed: the transaction is rolled back, and the sale reads again. */
const CHANGED = Symbol('changed')

/**
 * As `insertSale` of create.ts. A sale by itself is two ways to the database: the proof and the locks, which wait for
 * nothing else, and then the rows, whose number and levels are known by then.
 */
export async function insertSaleInSteps(db: WriteDb, scope: Scope, fresh: NewSale): Promise<string | null> {
  const made = isTransaction(db)
    ? insertHeld(db, scope, fresh)
    : inTwoFlights(
        db,
        (tx) => held(tx, scope, fresh),
        (tx, answers) => written(tx, scope, fresh, answers),
      )
  return made.catch((error: unknown) => {
    if (error === CHANGED) return null
    throw error
  })
}

async function insertHeld(tx: Tx, scope: Scope, fresh: NewSale): Promise<string> {
  const { value, sent } = written(tx, scope, fresh, await held(tx, scope, fresh))
  await together(sent)
  return value
}

const canTakeKey = async (tx: Tx, scope: Scope, { idem }: NewSale) => idem === null || tryKey(tx, scope, idem)

/** Proves what the sale was decided from and takes its locks. The receipt's number is counted up last of what others wait for. */
const held = (tx: Tx, scope: Scope, fresh: NewSale) => {
  const { sale, guardShiftId, day } = fresh
  return answersInOrder({
    asked: () => canTakeKey(tx, scope, fresh),
    good: () => isProved(tx, scope, fresh),
    lv: () => lower(tx, scope, sale.outletId, fresh.moves),
    shift: () => (guardShiftId === null ? null : named(tx, SHARE_SHIFT, [scope.accountId, guardShiftId])),
    num: () => namedWrite<{ lastNumber: number }>(tx, NEXT_NUMBER, [scope.accountId, sale.outletId, day]),
  })
}

/** Writes the rows. Throws CHANGED if a fact that the sale was decided from has changed. */
function written(
  tx: Tx,
  scope: Scope,
  fresh: NewSale,
  { asked: isFree, good: isSame, lv: lowered, shift, num: [next] }: Awaited<ReturnType<typeof held>>,
) {
  if (!isFree || !isSame || shift?.length === 0) throw CHANGED
  assert(next, 'the counter returns a number')
  const { sale, idem } = fresh
  const number = numberOf(fresh.day, next.lastNumber)
  const saleJson = fresh.saleJson.replaceAll(fresh.placeholder, number)
  const events = fresh.events.map((event) => bodyOf(event, { ...fresh, saleJson, number }))
  const all = [...events, ...lowered.filter(hasCrossed).map((level) => lowEvent(scope, level))]
  const warnings = fresh.warnings ?? JSON.stringify(lowered.filter(isShort).map(shortageOf))
  const data = `{"sale":${saleJson},"stockWarnings":${warnings},"warnings":${fresh.notDone}}`
  const sent = sendInOrder({
    s: () => insertSaleRow(tx, scope, [sale], { number }),
    i: () => insertItems(tx, scope, sale.items, { saleId: sale.id }),
    p: () => insertPayments(tx, scope, sale.payments, { saleId: sale.id }),
    mv: () =>
      insertMovements(tx, scope, lowered.map(movementOf), {
        outletId: sale.outletId,
        type: 'SALE',
        transactionId: sale.id,
        actorId: scope.actor.id,
        createdAt: scope.now,
        updatedAt: scope.now,
      }),
    e: () => sendRows(tx, scope, all, { isFollowed: fresh.isFollowed }),
    k: () => (idem ? keepReply(tx, scope, idem, { status: 201, body: data }) : []),
  })
  return { value: data, sent }
}

/** Day and running number of a receipt, the number in four digits at least (B-sale-7). */
const numberOf = (day: string, n: number) =>
  `${day.slice(2).replaceAll('-', '')}-${String(n).padStart(4, '0')}`

/** Whether the facts read before the locks still hold; always true if the caller holds the locks. */
async function isProved(tx: Tx, { accountId, actor }: Scope, fresh: NewSale): Promise<boolean> {
  const { sale, goods, seen, guardShiftId, idem, isFollowed } = fresh
  if (seen === null) {
    assert(goods.length === 0 && idem === null, 'a fact that is not proved is locked by the caller')
    return true
  }
  const held = await named<{ id: string; seen: string; holds: boolean | null }>(tx, PROVE, [
    accountId,
    goods.map(({ variantId }) => variantId),
    sale.outletId,
    seen.outlet,
    seen.policy,
    guardShiftId,
    actor.id,
    actor.kind === 'apiKey' ? actor.id : null,
    idem?.key ?? null,
    isFollowed,
  ])
  const states = new Map(held.map((row) => [row.id, row.seen]))
  return (
    held.every(({ holds }) => holds === true) &&
    goods.every((good) => states.get(good.variantId) === good.seen)
  )
}

/** Levels in order of variant, as every transaction locks them. */
async function lower(
  tx: Tx,
  scope: Scope,
  outletId: string,
  moves: readonly PlainMove[],
): Promise<LoweredLevel[]> {
  if (moves.length === 0) return []
  const sorted = moves.toSorted((a, b) => (a.variantId < b.variantId ? -1 : 1))
  const wanted = sorted.map(({ variantId, movementId, qty }) => ({
    variantId,
    // The ULID of the movement names the level too, should this sale be what makes it.
    id: `lvl_${movementId.slice(4)}`,
    quantity: -qty,
  }))
  const stamps = { outletId, createdAt: scope.now, updatedAt: scope.now }
  const rows = await lowerLevels(tx, scope, wanted, stamps)
  const levels = new Map(rows.map((row) => [row.variantId, row]))
  return sorted.map((move) => {
    const level = levels.get(move.variantId)
    assert(level, 'every level that is lowered answers')
    return { ...move, ...level, outletId }
  })
}

const movementOf = ({ movementId, variantId, qty, quantity, unitCost }: LoweredLevel) => ({
  id: movementId,
  variantId,
  qtyDelta: -qty,
  balanceAfter: quantity,
  unitCost,
})

type NumberedSale = { saleJson: string; placeholder: string; number: string }

function bodyOf(event: SaleEvent, { saleJson, placeholder, number }: NumberedSale): EventRow {
  const { id, type, refId } = event
  if ('body' in event) return { id, type, refId, body: event.body }
  const sale = event.sale === undefined ? saleJson : event.sale.replaceAll(placeholder, number)
  return { id, type, refId, body: `${event.prefix}${sale}${event.suffix}` }
}
