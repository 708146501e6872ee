import { Type } from 'typebox'
import { route } from '../../../platform/http/route.ts'
import { Amount, IdParams } from '../../../platform/http/shapes.ts'
import { masked } from './rules.ts'
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
    description: 'Cashiers and read-only API keys see only the last four characters of a code.',
    access: 'page',
    delegation: 'read',
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
    summary: 'Issue a gift card',
    description:
      'This route takes no payment; to sell a card, also sell a service item. Without a code the service creates one of 16 characters.',
    access: 'write',
    delegation: 'books',
    status: 201,
    secret: { mask: ({ giftCard }) => ({ giftCard: masked(giftCard) }) },
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
    summary: 'Read a gift card by its code',
    description:
      'Case and dashes of the code do not matter. The answer includes the last 50 ledger entries. After twenty unknown codes within ten minutes the answer is 429.',
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
    summary: 'Cancel a gift card and write off its balance',
    description: 'Cancelling it again is 409. A later refund to a cancelled card is paid in cash.',
    access: 'write',
    delegation: 'books',
    secret: { mask: ({ giftCard, writtenOff }) => ({ giftCard: masked(giftCard), writtenOff }) },
    params: IdParams,
    returns: Type.Object({ giftCard: GiftCard, writtenOff: Amount }),
    handle: ({ tx, scope, params }) => voidGiftCard(tx, scope, params.id),
  }),
]
