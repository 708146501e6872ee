import { type Static, Type } from 'typebox'
import { Check } from 'typebox/value'
import { ApiError } from '../../../core/errors.ts'
import { parseInstant } from '../../../core/time.ts'
import { Words } from '../../../platform/http/shapes.ts'
import { type PartnerClient, pathOf } from '../../../platform/partners/client.ts'
import { keyed } from '../../../platform/partners/forward.ts'
import { findPartnerAccount, type ModuleContext } from '../../workspace/modules/index.ts'
import type { PartnerCardState } from './rules.ts'
import { CARD_KINDS, CARD_STATUSES } from './schema.ts'

/** The fields of a partner's card that the service uses. */
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
/** A card as the partner stores it, with its balance and status. */
export type CardThere = Omit<PartnerCard, 'status' | 'balance' | 'updatedAt'> & { known: PartnerCardState }

export const unreadable = () =>
  new ApiError('PARTNER_ERROR', 'The payment partner returned no valid gift card; try again later')

/** Reads a card of the partner. @throws 502 PARTNER_ERROR for an invalid card or another card than `id`. */
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
export function voidedIn(data: unknown, id: string): { writtenOff: number; known: PartnerCardState } {
  if (!Check(Voided, data)) throw unreadable()
  const { giftCard, writtenOff } = data as Static<typeof Voided>
  return { writtenOff, known: cardIn(giftCard, id).known }
}

/** The account at the partner where the workspace issues cards now. */
export type PartnerAccount = { client: PartnerClient; key: string; workspaceId: string }
export const findCurrentAccount = (means: ModuleContext): Promise<PartnerAccount> =>
  findPartnerAccount(means, 'payment')

/** Returns the account where a card was issued, if the workspace still uses it. */
export async function findAccount(means: ModuleContext, partnerPlace: string): Promise<PartnerAccount> {
  const place = await findCurrentAccount(means)
  if (place.workspaceId === partnerPlace) return place
  throw new ApiError(
    'PARTNER_ERROR',
    'This gift card was issued at another payment partner, which still has its money. Pay another way, or ask your administrator to switch back to that partner',
  )
}

type CardRequest = { method: 'GET' | 'POST'; parts: readonly string[]; body?: string; key?: string }

/** Sends a request about a gift card. `key` belongs to the movement: the partner executes it at most once. */
export async function ask(
  { partner }: ModuleContext,
  { client, key: workspaceKey }: PartnerAccount,
  { method, parts, body, key }: CardRequest,
): Promise<unknown> {
  const asked = { method, path: pathOf('v1', 'gift-cards', ...parts), key: workspaceKey }
  const { data } = await partner
    .call((forward) =>
      client.ask(
        { ...asked, ...(body === undefined ? {} : { body: JSON.parse(body) }) },
        keyed(forward, key),
      ),
    )
    .catch(rethrowUnlessAboutCards)
  return data
}

/**
 * The statuses with which a partner rejects a request about a card. Other statuses, such as for a closed account,
 * concern the connection to the partner.
 */
const OF_CARDS: readonly number[] = [400, 404, 409, 422, 429]
function rethrowUnlessAboutCards(error: unknown): never {
  if (!(error instanceof ApiError) || error.status >= 500 || OF_CARDS.includes(error.status)) throw error
  throw new ApiError('PARTNER_ERROR', `The payment partner rejects gift cards: ${error.message}`, {
    cause: error,
  })
}

/**
 * Returns true if the partner has rejected this request, which then had no effect. An earlier request under the same
 * key may have had an effect.
 */
export const isRefusal = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.status < 500 && error.code !== 'IDEMPOTENCY_KEY_IN_USE'
