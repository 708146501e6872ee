import type { FastifyInstance } from 'fastify'
import { notFound } from '../../../core/errors.ts'
import { networkOf } from '../../../core/network.ts'
import { fairPlaces } from '../../../platform/db/places.ts'
import type { Deps } from '../../../platform/deps.ts'
import { LANGUAGES, type Language, sendPrint } from '../../../platform/http/paper.ts'
import { publicReceipt } from '../sales/index.ts'
import { findSale, PAGE_PATH, workspaceOf } from './service.ts'

/** Requests for receipts have their own budget of an address: guesses never take from its sign-ins (B-receipt-7). */
const PER_MINUTE = 600
/** Connections that public receipts use at the same time in one process, shared fairly between addresses. */
const PLACES = 3
const WAIT_MS = 10_000

type Page = { Params: { token: string }; Querystring: Record<string, unknown> }

const languageOf = (lang: unknown): Language => LANGUAGES.find((one) => one === lang) ?? 'id'

/** The public pages of receipts. They lie outside the API, because their address is printed and sent by message. */
export async function receiptPages(app: FastifyInstance, deps: Deps) {
  const readers = fairPlaces({ places: PLACES, waitMs: WAIT_MS })
  const config = { isVisited: true, isSecret: true, ownBudget: { name: 'receipt', perMinute: PER_MINUTE } }
  app.get<Page>(`${PAGE_PATH}/:token`, { config }, async (request, reply) => {
    // The 404 is not cached either: a shared cache must not answer for a revoked receipt.
    reply.headers({
      'cache-control': 'private, no-store',
      'x-robots-tag': 'noindex',
      'referrer-policy': 'no-referrer',
    })
    const { token } = request.params
    const accountId = workspaceOf(token)
    if (accountId === null) throw notFound('receipt')
    const paged = await readers.within(networkOf(request.ip), async () => {
      const saleId = await findSale(deps.db, accountId, token, request.now)
      return saleId === null
        ? null
        : publicReceipt(deps, { accountId }, saleId, languageOf(request.query['lang']))
    })
    if (paged === null) throw notFound('receipt')
    return sendPrint(reply, paged, { format: 'html', width: '80', name: paged.title })
  })
}
