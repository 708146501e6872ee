import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Outgoing } from '../../platform/outgoing/outgoing.ts'
import type { PartnerDatabase } from './db.ts'
import { type Loop, startLoop } from './loop.ts'
import { type MailOptions, sendMails } from './mails/sender.ts'
import { NOTICE_SCHEDULE, sendDue } from './notices/sender.ts'
import type { ReferencePaymentOptions } from './options.ts'
import { expireOverdue } from './sessions/service.ts'
import { moveSubscriptions } from './subscriptions/service.ts'
import { sweep } from './sweep.ts'
import type { Tools } from './tools.ts'

const NOTICES_EVERY_MS = 2_000
const MAILS_EVERY_MS = 5_000
const SESSIONS_EVERY_MS = 2_000
const SUBSCRIPTIONS_EVERY_MS = 10_000
const SWEEP_EVERY_MS = 3_600_000

const MAILS_AS_FILES: MailOptions = {
  smtpUrl: null,
  from: 'no-reply@localhost',
  dir: path.join(tmpdir(), 'kasir-reference-payment-mail'),
}

type Means = Pick<
  ReferencePaymentOptions,
  'log' | 'webhookSecret' | 'noticeUrl' | 'mail' | 'noticeSchedule'
> & {
  db: PartnerDatabase
  outgoing: Outgoing
  now(): string
}

/** Sends notices and mails as they come; `wake` says that there may be some. */
export function startSending(means: Means): { loops: readonly Loop[]; wake(): void } {
  const { db, log, now, outgoing, webhookSecret: secret } = means
  const { mail = MAILS_AS_FILES, noticeSchedule: schedule = NOTICE_SCHEDULE } = means
  const loops = [
    startLoop({ name: 'notices', everyMs: NOTICES_EVERY_MS, log }, async (stop) => {
      const noticeUrl = typeof means.noticeUrl === 'function' ? means.noticeUrl() : means.noticeUrl
      if (noticeUrl !== null) await sendDue({ db, log, outgoing, now, noticeUrl, secret, schedule }, stop)
    }),
    startLoop({ name: 'mails', everyMs: MAILS_EVERY_MS, log }, (stop) =>
      sendMails({ db, log, now, mail }, stop),
    ),
  ]
  return {
    loops,
    wake: () => {
      for (const loop of loops) loop.wake()
    },
  }
}

/** What time brings about by itself. Any number of processes may do it at once. */
export function startJobs(tools: Tools): readonly Loop[] {
  const { log } = tools
  const untilDone = (portion: (tools: Tools) => Promise<boolean>) => async (stop: AbortSignal) => {
    while (!stop.aborted && (await portion(tools)));
  }
  return [
    startLoop({ name: 'sessions', everyMs: SESSIONS_EVERY_MS, log }, untilDone(expireOverdue)),
    startLoop({ name: 'subscriptions', everyMs: SUBSCRIPTIONS_EVERY_MS, log }, untilDone(moveSubscriptions)),
    startLoop({ name: 'sweep', everyMs: SWEEP_EVERY_MS, log }, () => sweep(tools)),
  ]
}
