import { IdParams, notFound } from 'kasir/partner-tools'
import { Type } from 'typebox'
import { route } from '../../kit/http/route.ts'
import { codeKeyOf } from './rules.ts'
import { GiftCard, GiftCardCreate, GiftCardMove, GiftCardWithEntries, Voided } from './schema.ts'
import { cardView, creditCard, debitCard, issueCard, voidCard } from './service.ts'
import { findByCode, lastEntries } from './store.ts'

const ENTRIES_SHOWN = 50

export const giftCardRoutes = [
  route({
    name: 'giftCards.create',
    method: 'POST',
    path: '/gift-cards',
    tag: 'gift cards',
    summary: 'Issues a card in IDR; a code is drawn where none is sent',
    status: 201,
    body: GiftCardCreate,
    access: 'write',
    returns: GiftCard,
    handle: ({ tx, caller: { workspaceId }, body, now }) => issueCard(tx, { workspaceId, body, now }),
  }),
  route({
    name: 'giftCards.get',
    method: 'GET',
    path: '/gift-cards/{code}',
    tag: 'gift cards',
    summary: 'A card by its code, in any case and with or without dashes',
    params: Type.Object({ code: Type.String() }),
    access: 'read',
    returns: GiftCardWithEntries,
    handle: async ({ db, caller: { workspaceId }, params }) => {
      const card = await findByCode(db, workspaceId, codeKeyOf(params.code))
      if (!card) throw notFound('gift card')
      return { ...cardView(card), entries: await lastEntries(db, workspaceId, card.id, ENTRIES_SHOWN) }
    },
  }),
  route({
    name: 'giftCards.debit',
    method: 'POST',
    path: '/gift-cards/{id}/debit',
    tag: 'gift cards',
    summary: 'Takes from a card: 409 once it is voided, 422 beyond its balance',
    params: IdParams,
    body: GiftCardMove,
    access: 'write',
    returns: GiftCard,
    handle: ({ tx, caller: { workspaceId }, params: { id }, body: { amount, reference = null }, now }) =>
      debitCard(tx, { workspaceId, id, amount, reference, now }),
  }),
  route({
    name: 'giftCards.credit',
    method: 'POST',
    path: '/gift-cards/{id}/credit',
    tag: 'gift cards',
    summary: 'Gives back to a card: 409 once it is voided',
    params: IdParams,
    body: GiftCardMove,
    access: 'write',
    returns: GiftCard,
    handle: ({ tx, caller: { workspaceId }, params: { id }, body: { amount, reference = null }, now }) =>
      creditCard(tx, { workspaceId, id, amount, reference, now }),
  }),
  route({
    name: 'giftCards.void',
    method: 'POST',
    path: '/gift-cards/{id}/void',
    tag: 'gift cards',
    summary: 'Ends a card and writes off what it holds; 409 when that was done before',
    params: IdParams,
    access: 'write',
    returns: Voided,
    handle: ({ tx, caller: { workspaceId }, params: { id }, now }) => voidCard(tx, { workspaceId, id, now }),
  }),
]
