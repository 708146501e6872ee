import { type Static, Type } from 'typebox'
import { Check } from 'typebox/value'
import { ApiError } from '../../../core/errors.ts'
import { parseInstant } from '../../../core/time.ts'
import { Words } from '../../../platform/http/shapes.ts'
import {
  invalidRecordError,
  type PartnerClient,
  type PartnerRequest,
  pathOf,
} from '../../../platform/partners/client.ts'
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

/** Reads a card of the partner. Returns null for an invalid card or another card than `id`. */
function cardIn(data: unknown, id: string | null): CardThere | null {
  if (!Check(PartnerCard, data)) return null
  const { balance, status, updatedAt, ...card } = data as PartnerCard
  const at = parseInstant(updatedAt)
  if (at === null || (id !== null && card.id !== id)) return null
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
type VoidedCard = { writtenOff: number; known: PartnerCardState }
function voidedIn(data: unknown, id: string): VoidedCard | null {
  if (!Check(Voided, data)) return null
  const { giftCard, writtenOff } = data as Static<typeof Voided>
  const card = cardIn(giftCard, id)
  return card && { writtenOff, known: card.known }
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

type CardRequest = Pick<PartnerRequest, 'lookAt'> & {
  method: 'GET' | 'POST'
  parts: readonly string[]
  body?: string
  /** The key of the movement: the partner executes it at most once. */
  key?: string
  /** Whether a request of the caller without a key has the same movement. */
  isRepeatable?: boolean
}

/** Requests a card; without `id` any card is valid. @throws 502 PARTNER_ERROR for an invalid one. */
export const askForCard = (means: ModuleContext, account: PartnerAccount, asked: CardRequest, id?: string) =>
  ask(means, account, asked, (data) => cardIn(data, id ?? null))

/** Voids a card. It is voided once: after a lost answer, the next request receives the first result. */
export const askToVoid = (
  means: ModuleContext,
  account: PartnerAccount,
  { id, key }: { id: string; key: string },
): Promise<VoidedCard> =>
  ask(means, account, { method: 'POST', parts: [id, 'void'], key, isRepeatable: true }, (data) =>
    voidedIn(data, id),
  )

async function ask<T>(
  { partner }: ModuleContext,
  { client, key: workspaceKey }: PartnerAccount,
  { parts, body, key, isRepeatable = partner.isRepeatable, ...asked }: CardRequest,
  read: (data: unknown) => T | null,
): Promise<T> {
  const path = pathOf('v1', 'gift-cards', ...parts)
  const request = { ...asked, path, key: workspaceKey, ...(body && { body: JSON.parse(body) }) }
  const { data } = await partner
    .call((forward) => client.ask(request, keyed({ ...forward, isRepeatable }, key)))
    .catch(rethrowUnlessAboutCards)
  const record = read(data)
  if (record === null) throw invalidRecordError(client.module, 'gift card', { ...asked, isRepeatable })
  return record
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

/** Whether the partner has no such card, or never issued a card with such a code. */
export const isUnknownCard = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 404 || error.status === 400)
