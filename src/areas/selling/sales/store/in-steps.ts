import { assert } from '../../../../core/assert.ts'
import {
  inTwoFlights,
  isSharded,
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
import type { PlainMove, SaleChange, SaleEvent, WrittenSale } from './change.ts'
import {
  assignmentsOf,
  ITEM_COLUMNS,
  itemsJson,
  PAYMENT_COLUMNS,
  paymentsJson,
  SALE_COLUMNS,
  saleJson,
  typedNamesOf,
} from './columns.ts'
import { differenceOf } from './difference.ts'
import { hasCrossed, isShort, type LoweredLevel, lowEvent, shortageOf } from './lowered.ts'
import { answersInOrder, statementsInOrder } from './parts.ts'
import { batchOf, isNotFollowed, keyIsNew, type ShopFact, shopHolds } from './proof.ts'
import { insertRefund } from './refunds.ts'
import { insertItems, insertMovements, insertPayments, insertSaleRow, lowerLevels } from './rows.ts'

// The second form of a write: its parts as separate statements, for rows that are spread over workers. There, one
// statement would be carried out as many, each on every worker. The order of the locks is the same, so both forms may
// sell side by side.

const PROVED: Readonly<Record<ShopFact, string>> = {
  outlet_id: '$3::text',
  outlet_seen: '$4::text',
  policy_seen: '$5::text',
  shift_seen: '$6::text',
  actor_id: '$7::text',
  api_key_id: '$8::text',
  key: '$9::text',
}
/**
 * SQL of the column "holds": true if no fact behind the sale has changed. The state of the goods is compared separately.
 */
const FACTS_HOLD = `(${PROVED.key} is null or ${keyIsNew('$1::text', PROVED.key)}) and ($10::boolean or ${isNotFollowed('$1::text')})
      and ${batchOf('$1::text', PROVED.outlet_id, '= any($2::text[])')} is null
      and ${shopHolds('$1::text', (fact) => PROVED[fact])} as holds`

/**
 * Locks the variants, reads their current state and checks the other facts. Returns no row if the sale has no variant.
 */
const PROVE = statement('sale_prove', sellablesHeld('$2', `, ${FACTS_HOLD}`))
/** Checks the same facts for a sale with only open items, which has no variant to lock. Returns one row. */
const PROVE_SHOP = statement(
  'sale_prove_shop',
  `select ${FACTS_HOLD} from accounts a where a.account_id = $1::text`,
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

const UPDATE_SALE = writeStatement(
  'sale_update',
  `update sales s set ${assignmentsOf(SALE_COLUMNS)}
    from json_to_recordset($3::json) as x(${typedNamesOf(SALE_COLUMNS)}) where s.account_id = $1 and s.id = $2`,
)

const UPDATE_ITEMS = writeStatement(
  'sale_items_update',
  `update sale_items i set ${assignmentsOf(ITEM_COLUMNS)}
    from json_to_recordset($3::json) as x(id text, ${typedNamesOf(ITEM_COLUMNS)})
    where i.account_id = $1 and i.sale_id = $2 and i.id = x.id`,
)

const DELETE_ITEMS = writeStatement(
  'sale_items_delete',
  'delete from sale_items where account_id = $1 and sale_id = $2 and id = any($3)',
)

const UPDATE_PAYMENTS = writeStatement(
  'payments_update',
  `update payments p set ${assignmentsOf(PAYMENT_COLUMNS)}
    from json_to_recordset($3::json) as x(id text, ${typedNamesOf(PAYMENT_COLUMNS)})
    where p.account_id = $1 and p.sale_id = $2 and p.id = x.id`,
)

/** Facts read before the locks have changed: the transaction is rolled back, and the sale reads again. */
const CHANGED = Symbol('changed')

/**
 * Writes one change as separate statements, in the order of `PARTS`. A sale by itself is two round trips: the proof
 * and the locks, which wait for nothing else, and then the rows, whose number and levels are known by then.
 */
export async function writeInSteps(db: WriteDb, change: SaleChange): Promise<WrittenSale | null> {
  assert(change.before === null || change.seen === null, 'a stored sale is locked by the caller')
  const writing = isTransaction(db)
    ? writeInTransaction(db, change)
    : inTwoFlights(
        db,
        (tx) => held(tx, change),
        (tx, answers) => {
          const { value, statements } = written(tx, change, answers)
          return { value, sent: sendAll(statements) }
        },
      )
  return writing.catch((error: unknown) => {
    if (error === CHANGED) return null
    throw error
  })
}

async function writeInTransaction(tx: Tx, change: SaleChange): Promise<WrittenSale> {
  const { value, statements } = written(tx, change, await held(tx, change))
  if (isSharded(tx)) await together(sendAll(statements))
  else for (const statement of statements) await together(sendAll([statement]))
  return value
}

type UnsentStatement = () => Promise<unknown> | readonly Promise<unknown>[]
const sendAll = (statements: readonly UnsentStatement[]) => statements.flatMap((send) => send())

/** Proves what the change was decided from and takes its locks, the receipt counter last. */
const held = (tx: Tx, change: SaleChange) => {
  const { scope, after, number, guards, idempotency } = change
  const [guard] = guards
  return answersInOrder({
    asked: () => idempotency === null || tryKey(tx, scope, idempotency),
    good: () => isProved(tx, change),
    lv: () => lower(tx, scope, after.outletId, change.movements),
    shift: () => (guard === undefined ? null : named(tx, SHARE_SHIFT, [scope.accountId, guard])),
    num: () =>
      number === null
        ? []
        : namedWrite<{ lastNumber: number }>(tx, NEXT_NUMBER, [scope.accountId, after.outletId, number.day]),
  })
}

/** The reply, and the statements that write the rows. Throws CHANGED if a fact that the change was decided from has changed. */
function written(
  tx: Tx,
  change: SaleChange,
  { asked: isFree, good: isSame, lv: lowered, shift, num: [next] }: Awaited<ReturnType<typeof held>>,
) {
  if (!isFree || !isSame || shift?.length === 0) throw CHANGED
  const { scope, before, after, reply, seen, idempotency } = change
  const number = next ? numberOf(change, next.lastNumber) : after.number
  const finish = (text: string) => (change.number ? text.replaceAll(change.number.placeholder, number) : text)
  const sale = finish(reply?.sale ?? '')
  const events = [
    ...change.events.map((event) => finished(event, sale, finish)),
    ...lowered.filter(hasCrossed).map((level) => lowEvent(scope, level)),
  ]
  const warnings = reply?.stockWarnings ?? JSON.stringify(lowered.filter(isShort).map(shortageOf))
  const data = reply ? `{"sale":${sale},"stockWarnings":${warnings},"warnings":${reply.warnings}}` : ''
  const at = [scope.accountId, after.id]
  const ofSale = { saleId: after.id }
  const items = differenceOf(before?.items ?? [], after.items)
  const payments = differenceOf(before?.payments ?? [], after.payments)
  const refunds = differenceOf(before?.refunds ?? [], after.refunds)
  const statements = statementsInOrder<UnsentStatement>({
    s: [
      () =>
        before === null
          ? insertSaleRow(tx, scope, [after], { number })
          : namedWrite(tx, UPDATE_SALE, [...at, `[${saleJson(after)}]`]),
    ],
    i: [
      ...unlessEmpty(items.removed, (ids) => namedWrite(tx, DELETE_ITEMS, [...at, ids])),
      ...unlessEmpty(items.changed, (rows) => namedWrite(tx, UPDATE_ITEMS, [...at, itemsJson(rows)])),
      ...unlessEmpty(items.added, (rows) => insertItems(tx, scope, rows, ofSale)),
    ],
    p: [
      ...unlessEmpty(payments.changed, (rows) =>
        namedWrite(tx, UPDATE_PAYMENTS, [...at, paymentsJson(rows)]),
      ),
      ...unlessEmpty(payments.added, (rows) => insertPayments(tx, scope, rows, ofSale)),
    ],
    r: refunds.added.map((refund) => () => insertRefund(tx, scope, refund)),
    mv: unlessEmpty(lowered.map(movementOf), (rows) =>
      insertMovements(tx, scope, rows, {
        outletId: after.outletId,
        type: 'SALE',
        transactionId: after.id,
        actorId: scope.actor.id,
        createdAt: scope.now,
        updatedAt: scope.now,
      }),
    ),
    e: unlessEmpty(events, (rows) => sendRows(tx, scope, rows, { isFollowed: seen?.isFollowed ?? true })),
    k: idempotency ? [() => keepReply(tx, scope, idempotency, { status: 201, body: data })] : [],
  })
  return { value: { data, number, seen: null }, statements }
}

const unlessEmpty = <T>(rows: readonly T[], write: (rows: readonly T[]) => ReturnType<UnsentStatement>) =>
  rows.length === 0 ? [] : [() => write(rows)]

/** Day and running number of a receipt, the number in four digits at least (B-sale-7). */
function numberOf({ number }: SaleChange, n: number) {
  assert(number, 'only a new sale counts the receipts')
  return `${number.day.slice(2).replaceAll('-', '')}-${String(n).padStart(4, '0')}`
}

/** Whether the facts read before the locks still hold; always true if the caller holds the locks. */
async function isProved(tx: Tx, { scope, after, seen, idempotency }: SaleChange): Promise<boolean> {
  if (seen === null) {
    assert(idempotency === null, 'a fact that is not proved is locked by the caller')
    return true
  }
  const { accountId, actor } = scope
  type ProofRow = { id?: string; seen?: string; holds: boolean | null }
  const rows = await named<ProofRow>(tx, seen.goods.length > 0 ? PROVE : PROVE_SHOP, [
    accountId,
    seen.goods.map(({ variantId }) => variantId),
    after.outletId,
    seen.outlet,
    seen.policy,
    seen.shiftId,
    actor.id,
    actor.kind === 'apiKey' ? actor.id : null,
    idempotency?.key ?? null,
    seen.isFollowed,
  ])
  const states = new Map(rows.map((row) => [row.id, row.seen]))
  return (
    rows.length > 0 &&
    rows.every(({ holds }) => holds === true) &&
    seen.goods.every((good) => states.get(good.variantId) === good.seen)
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

/** The event with its body; `finish` puts the number in place of its placeholder. */
function finished(event: SaleEvent, saleText: string, finish: (text: string) => string): EventRow {
  const { id, type, refId } = event
  if ('body' in event) return { id, type, refId, body: event.body }
  const sale = event.sale === undefined ? saleText : finish(event.sale)
  return { id, type, refId, body: `${event.prefix}${sale}${event.suffix}` }
}
