import { sql } from 'kysely'
import { decodeCursor } from '../../../core/cursor.ts'
import { addMs } from '../../../core/time.ts'
import type { Db, Tx, WriteDb } from '../../../platform/db/open.ts'
import { deleteOwn, insertOwn, ownRows, updateOwn } from '../../../platform/db/own-rows.ts'
import { walk } from '../../../platform/db/walk.ts'
import { word } from '../../../platform/db/word.ts'
import type { Scope } from '../../../platform/scope.ts'
import { askReachable } from '../../../platform/sharding/holders.ts'
import { type Progress, STATES, type Step } from './rules.ts'
import type { Parcel, Place, Shipment, ShipmentQuery } from './schema.ts'

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
  'changedAt',
  'createdAt',
  'updatedAt',
] as const

type Read = NonNullable<Awaited<ReturnType<typeof readOne>>>
export type ShipmentRow = Omit<Read, 'destination' | 'items' | 'history'> & {
  destination: Place
  items: Shipment['items']
  history: Step[]
}
/** What was written as JSON is what is read. */
const rowOf = (row: Read): ShipmentRow => row as ShipmentRow
const orNone = (row: Read | undefined) => row && rowOf(row)

const readOne = (db: Db, scope: Scope, id: string) =>
  ownRows(db, scope, 'shipments').select(FIELDS).where('id', '=', id).executeTakeFirst()

export const find = async (db: Db, scope: Scope, id: string) => orNone(await readOne(db, scope, id))

/** The row, held until the transaction ends. */
export const lock = async (tx: Tx, scope: Scope, id: string) =>
  orNone(
    await ownRows(tx, scope, 'shipments').select(FIELDS).where('id', '=', id).forUpdate().executeTakeFirst(),
  )

/** A page of shipments, newest first, and one more. */
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

/** Every shipment that a sale had, the newest first: those that came to nothing, and one more. */
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

/** As long as a key is remembered (B-key-2). */
const KEY_MS = 24 * 3_600_000

/** What a request of this key made, where its caller did not hear of it. */
export const findByKey = async (db: Db, scope: Scope, key: string) =>
  orNone(
    await ownRows(db, scope, 'shipments')
      .select(FIELDS)
      .where('requestKey', '=', key)
      .where('createdAt', '>', addMs(scope.now, -KEY_MS))
      .orderBy('id', 'desc')
      .executeTakeFirst(),
  )

type Made = Pick<Request, 'id' | 'saleId' | 'requestKey' | 'partner' | 'parcel'>

export const insert = (
  tx: Tx,
  scope: Scope,
  request: Made,
  { history, ...told }: Progress,
  checkAt: string | null,
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
    changedAt: scope.now,
    createdAt: scope.now,
    updatedAt: scope.now,
  }).execute()

type Change = Partial<Omit<Progress, 'history'>> & {
  history?: readonly Step[]
  claimedUntil?: string | null
  checkAt?: string | null
  changedAt?: string
  updatedAt?: string
}

export const update = (tx: Tx, scope: Scope, id: string, { history, ...change }: Change) =>
  updateOwn(tx, scope, 'shipments')
    .set({ ...change, ...(history === undefined ? {} : { history: JSON.stringify(history) }) })
    .where('id', '=', id)
    .execute()

/** Shipments of any workspace that the partner is to be asked about by now, the longest overdue first. */
export const listDue = (db: WriteDb, now: string, limit: number) =>
  askReachable(db, { table: 'shipments', where: 'check_at <= $1', values: [now] }, (of) =>
    db
      .selectFrom('shipments')
      .select(['accountId', 'id'])
      .where('checkAt', '<=', now)
      .$if(of !== null, (rows) => rows.where('accountId', 'in', of ?? []))
      .orderBy('checkAt')
      .limit(limit)
      .execute(),
  )

/** What the partner is asked to make, and by which request. */
export type Request = {
  id: string
  saleId: string | null
  requestKey: string | null
  partner: string
  parcel: Parcel
  claimedUntil: string
  createdAt: string
}
const ASKED = ['id', 'saleId', 'requestKey', 'partner', 'parcel', 'claimedUntil', 'createdAt'] as const

/** Keeps a request; false where one of the same sale or key is kept already. */
export const insertRequest = async (tx: Tx, scope: Scope, { parcel, ...request }: Request) =>
  (await insertOwn(tx, scope, 'shipmentRequests', { ...request, parcel: JSON.stringify(parcel) })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()) !== undefined

/** The request that is under way for a sale, or under a key, held until the transaction ends. */
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

/** Takes a request that nobody is at; false where somebody is, or it is done. */
export const claimRequest = async (tx: Tx, scope: Scope, id: string, now: string, until: string) =>
  (await updateOwn(tx, scope, 'shipmentRequests')
    .set({ claimedUntil: until })
    .where('id', '=', id)
    .where('claimedUntil', '<=', now)
    .returning('id')
    .executeTakeFirst()) !== undefined

export const releaseRequest = (tx: Tx, scope: Scope, id: string, now: string) =>
  updateOwn(tx, scope, 'shipmentRequests').set({ claimedUntil: now }).where('id', '=', id).execute()

/** Ends a request; false where it has ended before. */
export const deleteRequest = async (tx: Tx, scope: Scope, id: string) =>
  (await deleteOwn(tx, scope, 'shipmentRequests').where('id', '=', id).returning('id').executeTakeFirst()) !==
  undefined

/** Requests of any workspace that nobody has been at since `before`. */
export const listLeft = (db: WriteDb, before: string, limit: number) =>
  askReachable(db, { table: 'shipmentRequests', where: 'claimed_until <= $1', values: [before] }, (of) =>
    db
      .selectFrom('shipmentRequests')
      .select(['accountId', 'id'])
      .where('claimedUntil', '<=', before)
      .$if(of !== null, (rows) => rows.where('accountId', 'in', of ?? []))
      .orderBy('claimedUntil')
      .limit(limit)
      .execute(),
  )

type Origin = { origin: Place } | undefined

export const findOrigin = async (db: Db, scope: Scope): Promise<Place | null> =>
  ((await ownRows(db, scope, 'shippingOrigins').select('origin').executeTakeFirst()) as Origin)?.origin ??
  null

export const writeOrigin = (tx: Tx, scope: Scope, origin: Place) =>
  insertOwn(tx, scope, 'shippingOrigins', {
    origin: JSON.stringify(origin),
    createdAt: scope.now,
    updatedAt: scope.now,
  })
    .onConflict((conflict) =>
      conflict.column('accountId').doUpdateSet({ origin: JSON.stringify(origin), updatedAt: scope.now }),
    )
    .execute()
