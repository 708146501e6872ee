import { type Static, Type } from 'typebox'
import { Check } from 'typebox/value'
import { ApiError } from '../../../core/errors.ts'
import { parseInstant } from '../../../core/time.ts'
import { Words } from '../../../platform/http/shapes.ts'
import { type PartnerClient, pathOf } from '../../../platform/partners/client.ts'
import { keyed } from '../../../platform/partners/forward.ts'
import { type Means, placeAtPartner } from '../../workspace/modules/index.ts'
import type { Known } from './rules.ts'
import { CARD_KINDS, CARD_STATUSES } from './schema.ts'

/** The part of a card of the partner that is used of it. */
const PartnerCard = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 200 }),
  code: Type.String({ minLength: 4, maxLength: 64, pattern: '^[A-Za-z0-9-]+$' }),
  kind: Words(CARD_KINDS),
  initialAmount: Type.Integer({ minimum: 1, maximum: 1_000_000_000_000 }),
  balance: Type.Integer({ minimum: 0, maximum: 1_000_000_000_000 }),
  status: Words(CARD_STATUSES),
  updatedAt: Type.String({ maxLength: 40 }),
})
type PartnerCard = Static<typeof PartnerCard>
/** A card as the partner has it, and what that tells of its value. */
export type CardThere = Omit<PartnerCard, 'status' | 'balance' | 'updatedAt'> & { known: Known }

export const unreadable = () =>
  new ApiError('PARTNER_ERROR', 'The payment partner answered no gift card; try again later')

/** @throws 502 PARTNER_ERROR for anything that is no card, or not the one that was asked about. */
export function cardIn(data: unknown, id?: string): CardThere {
  if (!Check(PartnerCard, data)) throw unreadable()
  const { balance, status, updatedAt, ...card } = data as PartnerCard
  const at = parseInstant(updatedAt)
  if (at === null || (id !== undefined && card.id !== id)) throw unreadable()
  const left = status === 'VOIDED' ? 0 : balance
  return {
    ...card,
    known: { at, balance: left, status: status === 'VOIDED' ? status : left === 0 ? 'REDEEMED' : 'ACTIVE' },
  }
}

const Voided = Type.Object({
  giftCard: Type.Unknown(),
  writtenOff: Type.Integer({ minimum: 0, maximum: 1_000_000_000_000 }),
})
export function voidedIn(data: unknown, id: string): { writtenOff: number; known: Known } {
  if (!Check(Voided, data)) throw unreadable()
  const { giftCard, writtenOff } = data as Static<typeof Voided>
  return { writtenOff, known: cardIn(giftCard, id).known }
}

/** Where cards of the workspace are issued now. */
export type Place = { client: PartnerClient; key: string; workspaceId: string }
export const placeNow = (means: Means): Promise<Place> => placeAtPartner(means, 'payment')

/** Where a card was issued, as long as that is where the workspace is. */
export async function placeOf(means: Means, partnerPlace: string): Promise<Place> {
  const place = await placeNow(means)
  if (place.workspaceId === partnerPlace) return place
  throw new ApiError(
    'PARTNER_ERROR',
    'This gift card was issued at another payment partner, where its money still is; ask the operator to go back to that partner, or pay another way',
  )
}

type Asked = { method: 'GET' | 'POST'; parts: readonly string[]; body?: string; key?: string }

/** Asks about a gift card. `key` is the movement's own: the partner does at most once what is asked under it. */
export async function ask(
  { partner }: Means,
  { client, key: workspaceKey }: Place,
  { method, parts, body, key }: Asked,
): Promise<unknown> {
  const asked = { method, path: pathOf('v1', 'gift-cards', ...parts), key: workspaceKey }
  const { data } = await partner
    .call((forward) =>
      client.ask(
        { ...asked, ...(body === undefined ? {} : { body: JSON.parse(body) }) },
        keyed(forward, key),
      ),
    )
    .catch(unlessOfCards)
  return data
}

/** What a partner may refuse of a card; that our place there was closed, say, is no refusal of it. */
const OF_CARDS: readonly number[] = [400, 404, 409, 422, 429]
function unlessOfCards(error: unknown): never {
  if (!(error instanceof ApiError) || error.status >= 500 || OF_CARDS.includes(error.status)) throw error
  throw new ApiError('PARTNER_ERROR', `The payment partner refuses gift cards: ${error.message}`, {
    cause: error,
  })
}

/** The partner has looked at what was asked, and it has had no effect. */
export const isRefusal = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.status < 500 && error.code !== 'IDEMPOTENCY_KEY_IN_USE'

/** Nothing was sent: the partner is being left alone for a while. */
export const isUnsent = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'SERVICE_UNAVAILABLE'
