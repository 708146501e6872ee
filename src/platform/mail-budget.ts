import { ApiError } from '../core/errors.ts'
import { addMs, msBetween } from '../core/time.ts'
import type { Tx } from './db/open.ts'
import type { Scope } from './scope.ts'
import { sha256 } from './secrets.ts'
import { lockMailbox } from './statements-mail-budget.ts'
import * as store from './store-mail-budget.ts'

const DAY_MS = 86_400_000
/** Invitations within a day: of one workspace, and to one mailbox, whoever invites (B-mail-1). */
const OF_WORKSPACE = 20
const TO_MAILBOX = 3
/** Security notices to one mailbox within a day; the last one says that it is the last. */
const NOTICES = 20
/** Mailboxes that one workspace's notices may reach within a day. */
const MAILBOXES = 50

/** One-time links of a kind to one mailbox within an hour. */
const LINKS = 3
const HOUR_MS = 3_600_000

type Link = Exclude<store.Kind, 'INVITATION' | 'NOTICE'>

/** Mails to one person are counted together, however the part after a + is spelt. */
const mailboxOf = (address: string) =>
  sha256(
    address
      .trim()
      .toLowerCase()
      .replace(/\+[^@]*(?=@)/, ''),
  )

/**
 * Counts an invitation in the transaction that sends it. 429 with Retry-After past 20 a day of the workspace, with
 * `param` past 3 a day to the address. Call it with the workspace's row locked; of two workspaces that invite one
 * address at once, one waits here.
 */
export async function spendInvitation(tx: Tx, scope: Scope, address: string) {
  const mailbox = mailboxOf(address)
  const own = await store.sentByWorkspace(tx, scope, OF_WORKSPACE, countedSince(scope.now))
  if (own !== null) {
    throw tooMany(
      scope,
      own,
      `This workspace sent ${OF_WORKSPACE} invitations within a day; add the member with a password instead, or`,
    )
  }
  await lockMailbox(tx, mailbox)
  const theirs = await store.sentToMailbox(tx, 'INVITATION', mailbox, TO_MAILBOX, countedSince(scope.now))
  if (theirs !== null) {
    throw tooMany(
      scope,
      theirs,
      `This address was invited ${TO_MAILBOX} times within a day; add the member with a password instead, or`,
      'email',
    )
  }
  await store.insert(tx, scope, 'INVITATION', mailbox)
}

/**
 * Counts a notice; `allowed` is false when the mailbox had 20 within a day and gets no more, `isLast` marks the
 * twentieth. 429 with Retry-After once the workspace has written to 50 other mailboxes within a day: a change without
 * its notice is not made, and addresses are never verified, so a stranger could make the service mail anyone.
 */
export async function spendNotice(
  tx: Tx,
  scope: Scope,
  address: string,
): Promise<{ allowed: boolean; isLast: boolean }> {
  const mailbox = mailboxOf(address)
  await lockMailbox(tx, mailbox)
  const others = await store.otherMailboxes(tx, scope, mailbox, countedSince(scope.now))
  if (others.count >= MAILBOXES && others.oldest !== null) {
    throw tooMany(
      scope,
      others.oldest,
      `This workspace has notified ${MAILBOXES} people of changes within a day;`,
    )
  }
  if ((await store.sentToMailbox(tx, 'NOTICE', mailbox, NOTICES, countedSince(scope.now))) !== null)
    return { allowed: false, isLast: false }
  await store.insert(tx, scope, 'NOTICE', mailbox)
  return {
    allowed: true,
    isLast: (await store.sentToMailbox(tx, 'NOTICE', mailbox, NOTICES, countedSince(scope.now))) !== null,
  }
}

/**
 * Counts a mail with a one-time link that anybody may ask for by naming the address; false past three within an hour.
 * A link lives for an hour at least, so whoever was sent three holds one that works: a stranger's requests lock nobody
 * out. How many mails one network causes is bounded by whoever calls.
 */
export async function spendLinkMail(tx: Tx, scope: Scope, kind: Link, address: string): Promise<boolean> {
  // By the whole address: with the parts after a + counted together, whoever has some could use up the share of another.
  const mailbox = sha256(address.trim().toLowerCase())
  await lockMailbox(tx, mailbox)
  const since = addMs(scope.now, -HOUR_MS)
  if ((await store.sentToMailbox(tx, kind, mailbox, LINKS, since)) !== null) return false
  await store.insert(tx, scope, kind, mailbox)
  return true
}

/** Mails counted before this instant no longer count. */
export const countedSince = (now: string) => addMs(now, -DAY_MS)

function tooMany(scope: Scope, oldest: string, message: string, param?: string) {
  const seconds = Math.max(1, Math.ceil((DAY_MS - msBetween(oldest, scope.now)) / 1000))
  return new ApiError('RATE_LIMITED', `${message} wait ${Math.ceil(seconds / 3600)} h`, {
    headers: { 'retry-after': String(seconds) },
    ...(param === undefined ? {} : { param }),
  })
}
