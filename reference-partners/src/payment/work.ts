import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Loop, startLoop } from '../kit/loop.ts'
import { type MailOptions, sendMails } from '../kit/mails/sender.ts'
import type { Tools } from '../kit/tools.ts'
import { expireOverdue } from './sessions/service.ts'
import { moveSubscriptions } from './subscriptions/service.ts'
import { sweepEnded } from './sweep.ts'

const MAILS_EVERY_MS = 5_000
const SESSIONS_EVERY_MS = 2_000
const SUBSCRIPTIONS_EVERY_MS = 10_000
const SWEEP_EVERY_MS = 3_600_000

export const MAILS_AS_FILES: MailOptions = {
  smtpUrl: null,
  from: 'no-reply@localhost',
  dir: path.join(tmpdir(), 'kasir-reference-payment-mail'),
}

/** Sends mails and runs the timed jobs. Any number of processes may do so concurrently. */
export function startWork(tools: Tools, mail: MailOptions): { woken: Loop[]; timed: Loop[] } {
  const { db, log, now } = tools
  const untilDone = (portion: (tools: Tools) => Promise<boolean>) => async (stop: AbortSignal) => {
    while (!stop.aborted && (await portion(tools)));
  }
  return {
    woken: [
      startLoop({ name: 'mails', everyMs: MAILS_EVERY_MS, log }, (stop) =>
        sendMails({ db, log, now, mail }, stop),
      ),
    ],
    timed: [
      startLoop({ name: 'sessions', everyMs: SESSIONS_EVERY_MS, log }, untilDone(expireOverdue)),
      startLoop(
        { name: 'subscriptions', everyMs: SUBSCRIPTIONS_EVERY_MS, log },
        untilDone(moveSubscriptions),
      ),
      startLoop({ name: 'sweep', everyMs: SWEEP_EVERY_MS, log }, () => sweepEnded(tools, mail.dir)),
    ],
  }
}
