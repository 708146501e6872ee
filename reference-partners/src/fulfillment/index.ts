import type { PartnerOptions } from '../kit/options.ts'
import { acceptForms } from '../kit/pages.ts'
import { type RunningPartner, startPartner } from '../kit/start.ts'
import { BOOKS } from './books.ts'
import { mountTopups } from './credits/hosted.ts'
import { document } from './openapi.ts'
import { routes } from './routes.ts'
import { mountTracking } from './shipments/tracking.ts'
import { startWork } from './work.ts'

/**
 * Starts the fulfillment partner, which lets a self-hoster run without a vendor: a real server with its own data. It moves
 * no parcel. Several processes may share one database.
 */
export const startReferenceFulfillmentPartner = (options: PartnerOptions): Promise<RunningPartner> =>
  startPartner(
    {
      name: 'fulfillment',
      books: BOOKS,
      keyPrefix: 'fulsk',
      routes,
      document,
      mountPages: (app, tools) => {
        acceptForms(app)
        mountTracking(app, tools)
        mountTopups(app, tools)
      },
      startWork,
    },
    options,
  )
