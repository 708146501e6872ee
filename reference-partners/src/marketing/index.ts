import { tmpdir } from 'node:os'
import path from 'node:path'
import { removeOldMails } from 'kasir/partner-tools'
import { startLoop } from '../kit/loop.ts'
import { type MailOptions, sendMails } from '../kit/mails/sender.ts'
import { type RunningPartner, startPartner } from '../kit/start.ts'
import { retentionStart } from '../kit/sweep.ts'
import type { Tools } from '../kit/tools.ts'
import { mountMedia } from './avatars/routes.ts'
import { BOOKS } from './books.ts'
import { document } from './openapi.ts'
import type { ReferenceMarketingOptions } from './options.ts'
import { sweepMails } from './reminders/store.ts'
import { mountUnsubscribe } from './reminders/unsubscribe.ts'
import { routes } from './routes.ts'

const MAILS_EVERY_MS = 5_000
const SWEEP_EVERY_MS = 3_600_000

const MAILS_AS_FILES: MailOptions = {
  smtpUrl: null,
  from: 'no-reply@localhost',
  dir: path.join(tmpdir(), 'kasir-reference-marketing-mail'),
}

/**
 * Starts the marketing partner, which lets a self-hoster run without a vendor: a real server with its own data. Several
 * processes may share one database.
 */
export const startReferenceMarketingPartner = (options: ReferenceMarketingOptions): Promise<RunningPartner> =>
  startPartner(
    {
      name: 'marketing',
      books: BOOKS,
      keyPrefix: 'mktsk',
      routes,
      document,
      mountPages: (app, tools) => {
        mountUnsubscribe(app, tools)
        mountMedia(app, tools)
      },
      startWork: (tools) => startWork(tools, options.mail ?? MAILS_AS_FILES),
    },
    options,
  )

function startWork({ db, log, now, requireTrustedClock }: Tools, mail: MailOptions) {
  return {
    woken: [
      startLoop({ name: 'mails', everyMs: MAILS_EVERY_MS, log }, (stop) =>
        sendMails({ db, log, now, mail }, stop),
      ),
    ],
    timed: [
      startLoop({ name: 'sweep', everyMs: SWEEP_EVERY_MS, log }, async () => {
        const at = now()
        await requireTrustedClock()
        await db.tx((tx) => sweepMails(tx, retentionStart(at)))
        await removeOldMails(mail.dir, at)
      }),
    ],
  }
}
