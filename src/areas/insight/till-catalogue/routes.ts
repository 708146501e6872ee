import { route } from '../../../platform/http/route.ts'
import { CatalogueQuery, TillCatalogue } from './schema.ts'
import { sendCatalogue } from './service.ts'

export const catalogueRoutes = [
  route({
    name: 'catalogue.get',
    method: 'GET',
    path: '/catalogue',
    area: 'catalogue',
    summary: 'Read all that a till needs to sell',
    description:
      'Goods on sale, modifiers, tables, settings and members with a PIN, in one answer; no stock, so that a sale changes none of it. A request with its `ETag` is 304 while nothing has changed. `since` takes the `version` of an earlier answer and answers what changed and what to forget; a version that is unknown or older than 30 days is 400.',
    access: 'raw',
    delegation: 'read',
    query: CatalogueQuery,
    hotPath: { holdsSlot: false },
    document: { isCached: true },
    returns: TillCatalogue,
    handle: (input) => sendCatalogue(input),
  }),
]
