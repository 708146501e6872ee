import { ApiError, addMs, notFound } from 'kasir/partner-tools'
import type { Db, Tx } from '../../kit/db.ts'
import { idWith } from '../../kit/ids.ts'
import type { Caller, Tools } from '../../kit/tools.ts'
import { lockWorkspace } from '../../kit/workspaces/store.ts'
import type { Reminder, ReminderCreate } from './schema.ts'
import * as store from './store.ts'
import { written } from './text.ts'
import { digestOf, unsubscribeUrlOf } from './unsubscribe.ts'

const DAY_MS = 86_400_000
/** A limit that stops the holder of a workspace key from flooding mailboxes. */
const MOST_A_DAY = 2_000

const viewOf = ({ isDue, mailId, ...row }: store.ReminderRow & { isDue: boolean }): Reminder => ({
  ...row,
  status: mailId === '' ? 'unsubscribed' : isDue ? 'queued' : 'sent',
})

type ReminderRequest = { tools: Tools; caller: Caller; body: ReminderCreate; now: string }

/** Stores the mail in the transaction of the request. It is sent after the commit, once per reference. */
export async function remind(
  tx: Tx,
  { tools, caller, body, now }: ReminderRequest,
): Promise<{ isNew: boolean; reminder: Reminder }> {
  const { workspaceId, name } = caller
  await lockWorkspace(tx, workspaceId)
  const known = await store.findByReference(tx, workspaceId, body.reference)
  if (known) return { isNew: false, reminder: viewOf(known) }
  if ((await store.countSince(tx, workspaceId, addMs(now, -DAY_MS))) >= MOST_A_DAY) {
    throw new ApiError('RATE_LIMITED', 'Enough reminders were sent today; send this one tomorrow', {
      headers: { 'retry-after': '3600' },
    })
  }
  const { email } = body.to
  const isUnwanted = await store.isUnsubscribed(tx, workspaceId, digestOf(workspaceId, email))
  const row = {
    id: idWith('rem'),
    reference: body.reference,
    mailId: isUnwanted ? '' : idWith('mal'),
    createdAt: now,
  }
  if (!isUnwanted) {
    const unsubscribeUrl = await unsubscribeUrlOf(tx, tools, workspaceId, email)
    const mail = written(body, { merchant: name, unsubscribeUrl })
    await store.insertMail(tx, {
      id: row.mailId,
      workspaceId,
      recipient: email,
      ...mail,
      unsubscribeUrl,
      now,
    })
    tx.afterCommit(tools.wake)
  }
  await store.insert(tx, workspaceId, row)
  return { isNew: true, reminder: viewOf({ ...row, isDue: !isUnwanted }) }
}

export async function reminderOf(db: Db, workspaceId: string, id: string): Promise<Reminder> {
  const row = await store.find(db, workspaceId, id)
  if (!row) throw notFound('reminder')
  return viewOf(row)
}
