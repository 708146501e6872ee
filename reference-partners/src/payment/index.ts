import { type RunningPartner, startPartner } from '../kit/start.ts'
import { BOOKS } from './books.ts'
import { document } from './openapi.ts'
import type { ReferencePaymentOptions } from './options.ts'
import { routes } from './routes.ts'
import { mountPayer } from './sessions/payer.ts'
import { MAILS_AS_FILES, startWork } from './work.ts'

/**
 * Starts the payment partner, which lets a self-hoster run without a vendor: a real server with its own data. It moves no
 * money. Several processes may share one database.
 */
export const startReferencePaymentPartner = (options: ReferencePaymentOptions): Promise<RunningPartner> =>
  startPartner(
    {
      name: 'payment',
      books: BOOKS,
      keyPrefix: 'paysk',
      routes,
      document,
      mountPages: mountPayer,
      startWork: (tools) => startWork(tools, options.mail ?? MAILS_AS_FILES),
    },
    options,
  )
