import { Type } from 'typebox'
import { route } from '../../../platform/http/route.ts'
import { Amount, IdParams } from '../../../platform/http/shapes.ts'
import { CodeParams, GiftCard, GiftCardDetail, GiftCardIn, GiftCardQuery } from './schema.ts'
import { getGiftCard, issueGiftCard, listGiftCards, voidGiftCard } from './service.ts'

const area = 'gift-cards'

export const giftCardRoutes = [
  route({
    name: 'giftCards.list',
    method: 'GET',
    path: '/gift-cards',
    area,
    summary: 'List gift cards and store credit, newest first',
    access: 'read',
    delegation: 'read',
    page: true,
    query: GiftCardQuery,
    returns: GiftCard,
    handle: ({ db, scope, query }) => listGiftCards(db, scope, query),
  }),
  route({
    name: 'giftCards.issue',
    method: 'POST',
    path: '/gift-cards',
    area,
    errands: true,
    summary: 'Issue a gift card; no payment is taken here',
    access: 'write',
    delegation: 'books',
    status: 201,
    secret: true,
    body: GiftCardIn,
    returns: Type.Object({ giftCard: GiftCard }),
    handle: async ({ tx, scope, body }) => ({ giftCard: await issueGiftCard(tx, scope, body) }),
  }),
  route({
    name: 'giftCards.get',
    method: 'GET',
    path: '/gift-cards/{code}',
    area,
    errands: true,
    summary: 'Read a gift card by its code, in upper or lower case, with or without dashes',
    access: 'read',
    delegation: 'read',
    params: CodeParams,
    returns: Type.Object({ giftCard: GiftCardDetail }),
    handle: async ({ db, scope, params }) => ({ giftCard: await getGiftCard(db, scope, params.code) }),
  }),
  route({
    name: 'giftCards.void',
    method: 'POST',
    path: '/gift-cards/{id}/void',
    area,
    errands: true,
    summary: 'Cancel a gift card and write off what is left on it',
    access: 'write',
    delegation: 'books',
    secret: true,
    params: IdParams,
    returns: Type.Object({ giftCard: GiftCard, writtenOff: Amount }),
    handle: ({ tx, scope, params }) => voidGiftCard(tx, scope, params.id),
  }),
]
