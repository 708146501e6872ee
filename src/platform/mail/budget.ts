import { ApiError } from '../../core/errors.ts'
import { addMs, msBetween } from '../../core/time.ts'
import type { Tx } from '../db/open.ts'
import type { Scope } from '../scope.ts'
import { sha256 } from '../secrets/secrets.ts'
import { lockMailbox } from './statements.ts'
import * as store from './store.ts'

const DAY_MS = 86_400_000
/** Invitations per day, per workspace and per mailbox, whichever member invites (B-mail-1). */
const OF_WORKSPACE = 20
const TO_MAILBOX = 3
/** Security notices of a workspace per mailbox and day; the last one says that it is the last. */
const NOTICES = 20
/** The most mailboxes per day that notices of one workspace may reach. */
const MAILBOXES = 50
/** Routine notices stop earlier, so that they use up neither limit for the others. */
const ROUTINE = { notices: 15, mailboxes: 30 }

/** One-time links of one kind per mailbox and hour. */
const LINKS = 3
const HOUR_MS = 3_600_000

type Link = Exclude<store.Kind, 'INVITATION' | 'NOTICE'>

/** Mails to one person are counted together, whatever the part after a + says. */
const mailboxOf = (address: string) =>
  sha256(
    address
      .trim()
      .toLowerCase()
      .replace(/\+[^@]*(?=@)/, ''),
  )

/**
 * Counts an invitation in the transaction that sends it. Throws 429 with Retry-After above 20 a day per workspace, or
 * with `param` above 3 a day per address. If both limits are exceeded, reports the one that ends later. Call it with
 * the workspace's row locked. If two workspaces invite the same address concurrently, the second waits here.
 */
export async function spendInvitation(tx: Tx, scope: Scope, address: string) {
  const mailbox = mailboxOf(address)
  const own = await store.sentByWorkspace(tx, scope, OF_WORKSPACE, countedSince(scope.now))
  await lockMailbox(tx, mailbox)
  const theirs = await store.sentToMailbox(tx, {
    kind: 'INVITATION',
    mailbox,
    max: TO_MAILBOX,
    since: countedSince(scope.now),
  })
  if (own !== null && (theirs === null || theirs <= own)) {
    throw tooManyMails(
      scope,
      own,
      `This workspace sent ${OF_WORKSPACE} invitations within a day; add the member with a password instead, or`,
    )
  }
  if (theirs !== null) {
    throw tooManyMails(
      scope,
      theirs,
      `This address was invited ${TO_MAILBOX} times within a day; add the member with a password instead, or`,
      'email',
    )
  }
  await store.insert(tx, scope, 'INVITATION', mailbox)
}

/**
 * What happens to a change when the workspace has used up its notices of the day. A `change` by another person is
 * refused, because it must not happen unseen. `ownAct` is done by the person concerned, with a mailed link or a code,
 * and `routine` is work of every day: both are done without a mail.
 */
export type NoticeKind = 'change' | 'ownAct' | 'routine'
type Recipient = { email: string; emailVerifiedAt: string | null }
type Spent = { allowed: boolean; isLast: boolean }

const NOT_SENT: Spent = { allowed: false, isLast: false }

/**
 * Counts a notice. `allowed` is false if the workspace already sent 20 to the mailbox within a day; `isLast` marks the
 * twentieth. To an address that is not confirmed all workspaces together send 20, and a workspace writes to 50
 * mailboxes a day; beyond that a `change` is 429 with Retry-After. Without these limits a stranger could make the
 * service mail anyone. A confirmed address has neither, so that no other workspace and no other member silences it.
 */
export async function spendNotice(
  tx: Tx,
  scope: Scope,
  { email, emailVerifiedAt }: Recipient,
  kind: NoticeKind,
): Promise<Spent> {
  const mailbox = mailboxOf(email)
  const isConfirmed = emailVerifiedAt !== null
  const limits = kind === 'routine' ? ROUTINE : { notices: NOTICES, mailboxes: MAILBOXES }
  await lockMailbox(tx, mailbox)
  const others = await store.otherMailboxes(tx, scope, mailbox, countedSince(scope.now))
  if (others.count >= limits.mailboxes && others.oldest !== null) {
    if (kind === 'routine' || (kind === 'ownAct' && !isConfirmed)) return NOT_SENT
    if (!isConfirmed)
      throw tooManyMails(
        scope,
        others.oldest,
        `This workspace has notified ${MAILBOXES} people of changes within a day;`,
      )
  }
  const isFull = async (max: number) => {
    const sent = { kind: 'NOTICE', mailbox, max, since: countedSince(scope.now) } as const
    return (await store.sentToMailbox(tx, isConfirmed ? { ...sent, by: scope } : sent)) !== null
  }
  if (await isFull(limits.notices)) return NOT_SENT
  await store.insert(tx, scope, 'NOTICE', mailbox)
  return { allowed: true, isLast: await isFull(NOTICES) }
}

/**
 * Counts a mail with a one-time link that anyone can request by naming the address; returns false above three per
 * hour. A link is valid for at least an hour, so the owner of the mailbox already has a valid one: a stranger's
 * requests do not lock the owner out. The caller limits the mails that one network can cause.
 */
export async function spendLinkMail(tx: Tx, scope: Scope, kind: Link, address: string): Promise<boolean> {
  // Counts by the whole address: otherwise the owner of one +address could use up the limit of another.
  const mailbox = sha256(address.trim().toLowerCase())
  await lockMailbox(tx, mailbox)
  const since = addMs(scope.now, -HOUR_MS)
  if ((await store.sentToMailbox(tx, { kind, mailbox, max: LINKS, since })) !== null) return false
  await store.insert(tx, scope, kind, mailbox)
  return true
}

/** Mails counted before this instant no longer count. */
export const countedSince = (now: string) => addMs(now, -DAY_MS)

function tooManyMails(scope: Scope, oldest: string, message: string, param?: string) {
  const seconds = Math.max(1, Math.ceil((DAY_MS - msBetween(oldest, scope.now)) / 1000))
  return new ApiError('RATE_LIMITED', `${message} wait ${Math.ceil(seconds / 3600)} h`, {
    headers: { 'retry-after': String(seconds) },
    ...(param === undefined ? {} : { param }),
  })
}
