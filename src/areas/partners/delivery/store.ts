import { sql } from 'kysely'
import { decodeCursor } from '../../../core/cursor.ts'
import { addMs } from '../../../core/time.ts'
import type { Db, Tx } from '../../../platform/db/open.ts'
import { deleteOwn, insertOwn, ownRows, updateOwn } from '../../../platform/db/own-rows.ts'
import { walk } from '../../../platform/db/walk.ts'
import { word } from '../../../platform/db/word.ts'
import type { Scope } from '../../../platform/scope.ts'
import { type HistoryEntry, type ShipmentProgress, STATES } from './rules.ts'
import type { SentParcel, Shipment, ShipmentPlace, ShipmentQuery } from './schema.ts'

const FIELDS = [
  'id',
  'partner',
  'providerRef',
  'saleId',
  'status',
  'destination',
  'courierCode',
  'courierName',
  'courierServiceCode',
  'courierServiceName',
  'items',
  'price',
  'insuranceFee',
  'waybillId',
  'trackingUrl',
  'history',
  'reportedAt',
  'claimedUntil',
  'checkAt',
  'undecidedSince',
  'changedAt',
  'createdAt',
  'updatedAt',
] as const

type ShipmentRecord = NonNullable<Awaited<ReturnType<typeof readOne>>>
export type ShipmentRow = Omit<ShipmentRecord, 'destination' | 'items' | 'history'> & {
  destination: ShipmentPlace
  items: Shipment['items']
  history: HistoryEntry[]
}
/** The cast is safe: only this store writes the JSON columns. */
const rowOf = (row: ShipmentRecord): ShipmentRow => row as ShipmentRow
const rowOrUndefined = (row: ShipmentRecord | undefined) => row && rowOf(row)

const readOne = (db: Db, scope: Scope, id: string) =>
  ownRows(db, scope, 'shipments').select(FIELDS).where('id', '=', id).executeTakeFirst()

export const find = async (db: Db, scope: Scope, id: string) => rowOrUndefined(await readOne(db, scope, id))

/** Locks the row until the transaction ends. */
export const lock = async (tx: Tx, scope: Scope, id: string) =>
  rowOrUndefined(
    await ownRows(tx, scope, 'shipments').select(FIELDS).where('id', '=', id).forUpdate().executeTakeFirst(),
  )

/** Reads a page of shipments, newest first, and one more. */
export async function list(db: Db, scope: Scope, { status, cursor, limit }: ShipmentQuery) {
  const { where, order } = walk({
    by: status === undefined ? [] : [['status', word(status, STATES)]],
    id: 'id',
    from: null,
    before: cursor === undefined ? null : sql.val(decodeCursor(cursor, 'shipment').id),
  })
  const rows = ownRows(db, scope, 'shipments').select(FIELDS).where(where)
  const found = await rows
    .orderBy(order)
    .limit(limit + 1)
    .execute()
  return found.map(rowOf)
}

/** Lists all shipments of a sale, newest first: failed ones and at most one other. */
export async function listOfSale(db: Db, scope: Scope, saleId: string) {
  const found = await ownRows(db, scope, 'shipments')
    .select(FIELDS)
    .where('saleId', '=', saleId)
    .orderBy('id', 'desc')
    .execute()
  return found.map(rowOf)
}

export const findByRef = (db: Db, scope: Scope, partner: string, providerRef: string) =>
  ownRows(db, scope, 'shipments')
    .select(['id'])
    .where('providerRef', '=', providerRef)
    .where('partner', '=', partner)
    .executeTakeFirst()

/** The lifetime of a key (B-key-2). */
const KEY_MS = 24 * 3_600_000

/** Finds the shipment that an earlier request with this key created. */
export const findByKey = async (db: Db, scope: Scope, key: string) =>
  rowOrUndefined(
    await ownRows(db, scope, 'shipments')
      .select(FIELDS)
      .where('requestKey', '=', key)
      .where('createdAt', '>', addMs(scope.now, -KEY_MS))
      .orderBy('id', 'desc')
      .executeTakeFirst(),
  )

type NewRequest = Pick<Request, 'id' | 'saleId' | 'requestKey' | 'partner' | 'parcel'>

export const insert = (
  tx: Tx,
  scope: Scope,
  {
    request,
    told: { history, ...told },
    checkAt,
  }: { request: NewRequest; told: ShipmentProgress; checkAt: string | null },
) =>
  insertOwn(tx, scope, 'shipments', {
    id: request.id,
    partner: request.partner,
    saleId: request.saleId,
    requestKey: request.requestKey,
    destination: JSON.stringify(request.parcel.destination),
    courierCode: request.parcel.courierCode,
    courierServiceCode: request.parcel.courierServiceCode,
    items: JSON.stringify(request.parcel.items),
    ...told,
    history: JSON.stringify(history),
    claimedUntil: null,
    checkAt,
    undecidedSince: null,
    changedAt: scope.now,
    createdAt: scope.now,
    updatedAt: scope.now,
  }).execute()

type Change = Partial<Omit<ShipmentProgress, 'history'>> & {
  history?: readonly HistoryEntry[]
  claimedUntil?: string | null
  checkAt?: string | null
  undecidedSince?: string | null
  changedAt?: string
  updatedAt?: string
}

export const update = (tx: Tx, scope: Scope, id: string, { history, ...change }: Change) =>
  updateOwn(tx, scope, 'shipments')
    .set({ ...change, ...(history === undefined ? {} : { history: JSON.stringify(history) }) })
    .where('id', '=', id)
    .execute()

/** Postpones the checks of the workspace that are due before `until`. */
export const postponeChecks = (tx: Tx, scope: Scope, until: string) =>
  updateOwn(tx, scope, 'shipments').set({ checkAt: until }).where('checkAt', '<', until).execute()

/** A request to the partner to create a shipment. */
export type Request = {
  id: string
  saleId: string | null
  requestKey: string | null
  partner: string
  parcel: SentParcel
  claimedUntil: string
  createdAt: string
}
const ASKED = ['id', 'saleId', 'requestKey', 'partner', 'parcel', 'claimedUntil', 'createdAt'] as const

/** Stores a request. Returns false if the same sale or key already has one. */
export const insertRequest = async (tx: Tx, scope: Scope, { parcel, ...request }: Request) =>
  (await insertOwn(tx, scope, 'shipmentRequests', { ...request, parcel: JSON.stringify(parcel) })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()) !== undefined

/** Locks the open request of a sale or key until the transaction ends. */
export const lockRequest = (tx: Tx, scope: Scope, of: { saleId: string } | { requestKey: string }) =>
  ownRows(tx, scope, 'shipmentRequests')
    .select(ASKED)
    .where((to) => ('saleId' in of ? to('saleId', '=', of.saleId) : to('requestKey', '=', of.requestKey)))
    .forUpdate()
    .executeTakeFirst() as Promise<Request | undefined>

export const findRequest = (db: Db, scope: Scope, id: string) =>
  ownRows(db, scope, 'shipmentRequests').select(ASKED).where('id', '=', id).executeTakeFirst() as Promise<
    Request | undefined
  >

/** Claims a request. Returns false if another process has claimed it or it is done. */
export const claimRequest = async (
  tx: Tx,
  scope: Scope,
  { id, now, until }: { id: string; now: string; until: string },
) =>
  (await updateOwn(tx, scope, 'shipmentRequests')
    .set({ claimedUntil: until })
    .where('id', '=', id)
    .where('claimedUntil', '<=', now)
    .returning('id')
    .executeTakeFirst()) !== undefined

export const releaseRequest = (tx: Tx, scope: Scope, id: string, now: string) =>
  updateOwn(tx, scope, 'shipmentRequests').set({ claimedUntil: now }).where('id', '=', id).execute()

/** Ends a request. Returns false if it has ended before. */
export const deleteRequest = async (tx: Tx, scope: Scope, id: string) =>
  (await deleteOwn(tx, scope, 'shipmentRequests').where('id', '=', id).returning('id').executeTakeFirst()) !==
  undefined

type Origin = { origin: ShipmentPlace } | undefined

export const findOrigin = async (db: Db, scope: Scope): Promise<ShipmentPlace | null> =>
  ((await ownRows(db, scope, 'shippingOrigins').select('origin').executeTakeFirst()) as Origin)?.origin ??
  null

export const writeOrigin = (tx: Tx, scope: Scope, origin: ShipmentPlace) =>
  insertOwn(tx, scope, 'shippingOrigins', {
    origin: JSON.stringify(origin),
    createdAt: scope.now,
    updatedAt: scope.now,
  })
    .onConflict((conflict) =>
      conflict.column('accountId').doUpdateSet({ origin: JSON.stringify(origin), updatedAt: scope.now }),
    )
    .execute()
