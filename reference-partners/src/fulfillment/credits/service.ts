import { randomBytes } from 'node:crypto'
import { addMs, conflict, invalid, sum, webAddressIn } from 'kasir/partner-tools'
import type { Tx } from '../../kit/db.ts'
import { money } from '../../kit/format.ts'
import type { Tools } from '../../kit/tools.ts'
import { newId } from '../ids.ts'
import type { Topup, TopupCreate } from './schema.ts'
import * as store from './store.ts'

/** The initial credits of a new workspace, so that trying out costs nothing. */
const SANDBOX_CREDIT = 1_000_000
const LIFETIME_MS = 86_400_000

/** Opens the credits of a new workspace. */
export async function openCredits(tx: Tx, workspaceId: string, now: string) {
  await store.insertBalance(tx, workspaceId)
  await store.book(tx, { workspaceId, type: 'sandbox', amount: SANDBOX_CREDIT, now })
}

type ShippingCharge = { workspaceId: string; id: string; price: number; insuranceFee: number }
const costOf = ({ price, insuranceFee }: ShippingCharge): number => sum([price, insuranceFee])

/** Deducts the cost of a shipment. Throws 409 if the credits do not suffice. */
export async function payShipment(tx: Tx, shipment: ShippingCharge, now: string) {
  const { workspaceId, id } = shipment
  const cost = costOf(shipment)
  if (await store.book(tx, { workspaceId, type: 'shipment', amount: -cost, shipmentId: id, now })) return
  const balance = await store.balanceOf(tx, workspaceId)
  throw conflict(
    `This shipment costs ${money(cost, 'IDR')} and the shipping credits are ${money(balance, 'IDR')}; top up, then confirm again`,
  )
}

/** Refunds the cost of a shipment that was not carried. */
export const refundShipment = (tx: Tx, shipment: ShippingCharge, now: string) =>
  store.book(tx, {
    workspaceId: shipment.workspaceId,
    type: 'refund',
    amount: costOf(shipment),
    shipmentId: shipment.id,
    now,
  })

/** The time of one that is open may be over. */
export const statusAt = ({ status, expiresAt }: store.TopupRow, now: string): Topup['status'] =>
  status === 'open' && expiresAt <= now ? 'expired' : status

type NewTopup = { tools: Tools; workspaceId: string; body: TopupCreate; now: string }

/** Opens a page on which credits are bought. */
export async function openTopup(tx: Tx, { tools, workspaceId, body, now }: NewTopup): Promise<Topup> {
  const { amount, returnUrl = null } = body
  if (returnUrl !== null && webAddressIn(returnUrl) === null)
    throw invalid('returnUrl', 'returnUrl must be an http or https address')
  const row: store.TopupRow = {
    workspaceId,
    id: newId('topup'),
    token: randomBytes(24).toString('base64url'),
    amount,
    status: 'open',
    returnUrl,
    paidAt: null,
    expiresAt: addMs(now, LIFETIME_MS),
    createdAt: now,
  }
  await store.insertTopup(tx, row)
  const { workspaceId: _whose, token, ...own } = row
  return { ...own, hostedUrl: `${tools.publicUrl()}/topup/${token}` }
}

/** Applies the choice made on the page: pays or cancels an open top-up, and returns an ended one unchanged. */
export async function decideTopup(tx: Tx, token: string, status: 'paid' | 'canceled', now: string) {
  const row = await store.lockTopup(tx, token)
  if (!row || statusAt(row, now) !== 'open') return
  const { workspaceId, id, amount } = row
  await store.endTopup(tx, { workspaceId, id, status, now })
  if (status === 'paid') await store.book(tx, { workspaceId, type: 'topup', amount, topupId: id, now })
}
