import { createHmac } from 'node:crypto'
import { Type } from 'typebox'
import { ApiError } from '../../core/errors.ts'
import { inTx, type Tx, type WriteDb } from '../db/open.ts'
import type { Deps } from '../deps.ts'
import type { AccountId, TillRef } from '../scope.ts'
import type { RecordLocation } from '../secrets/secrets.ts'
import { NotOpenedError, randomToken } from '../secrets/secrets.ts'
import { checkPinOf, hashPinOf } from './passwords.ts'
import { findPin, type PinLookup } from './statements-tills.ts'
import { deletePinSessionsOf } from './store.ts'
import * as store from './store-pins.ts'
import { deleteApprovalsBy, listTills } from './store-tills.ts'
import { forgive, guardedWithin, requireRoom } from './throttle.ts'
import { notATill } from './till.ts'

/** Four to eight digits (B-pin-1). A `password`, so that no log and no fingerprint of a request holds it. */
export const Pin = Type.String({
  pattern: '^[0-9]{4,8}$',
  format: 'password',
  'x-form': '4 to 8 digits',
  description: '4 to 8 digits',
})

type Tools = Pick<Deps, 'secrets' | 'log'> & { db: WriteDb }

const locationOf = (accountId: AccountId): RecordLocation => ({
  table: 'pin_keys',
  column: 'key',
  accountId,
  row: 'pinKey',
})

/** The key of a workspace that its PINs are hashed with; null if no key of the installation opens it. */
async function opened({ secrets, log }: Tools, accountId: AccountId, sealed: string): Promise<string | null> {
  try {
    return await secrets.open(sealed, locationOf(accountId))
  } catch (error) {
    // A database that did not answer is no lost key: the PINs of the workspace would be removed for it.
    if (!(error instanceof NotOpenedError)) throw error
    log.error({ err: error, accountId }, 'could not decrypt the key of the PINs of a workspace')
    return null
  }
}

/** The same, made at the first PIN. Under a lost key no PIN can be checked any more, so they are removed with it. */
async function keyOf(tools: Tools, accountId: AccountId, now: string): Promise<string> {
  const { db, secrets } = tools
  const seal = () => secrets.seal(randomToken(), locationOf(accountId))
  const found = await store.findKey(db, { accountId })
  if (found === undefined) await store.insertKey(db, { accountId }, seal(), now)
  const sealed = found ?? (await store.findKey(db, { accountId })) ?? ''
  const key = await opened(tools, accountId, sealed)
  if (key !== null) return key
  await inTx(db, async (tx) => {
    if (await store.replaceKey(tx, { accountId }, { lost: sealed, key: seal(), now })) {
      await store.removeAll(tx, { accountId })
    }
  })
  return keyOf(tools, accountId, now)
}

const macOf = (key: string, purpose: string, pin: string) =>
  createHmac('sha256', key).update(`${purpose} ${pin}`).digest('base64url')
const secretPinOf = (key: string, pin: string) => macOf(key, 'hash', pin)

/** The stored form of a PIN. Both hashes use the key of the workspace, so that the database alone reveals no PIN. */
export type HashedPin = { pinHash: string; pinMac: string }

/** Outside of transactions, because no connection waits for a hash. */
export async function hashPin(
  tools: Tools,
  accountId: AccountId,
  pin: string,
  now: string,
): Promise<HashedPin> {
  const key = await keyOf(tools, accountId, now)
  return { pinHash: await hashPinOf(accountId, secretPinOf(key, pin)), pinMac: macOf(key, 'equal', pin) }
}

const takenError = () =>
  new ApiError('CONFLICT', 'This PIN is already in use. Choose another one', { param: 'pin' })

/**
 * Sets the PIN of a member, or removes it, and ends their sessions that began with the one before (B-pin-4). 409 if
 * another member of the workspace has it (B-pin-2). Call it with the workspace's row locked, so that two members
 * cannot take one PIN. Returns false if there was nothing to remove.
 */
export async function storePin(
  tx: Tx,
  { accountId, memberId }: { accountId: AccountId; memberId: string },
  pin: HashedPin | null,
  now: string,
): Promise<boolean> {
  if (pin === null) {
    if (!(await store.remove(tx, { accountId }, memberId))) return false
  } else {
    if (await store.isTaken(tx, { accountId }, { memberId, pinMac: pin.pinMac })) throw takenError()
    await store.upsert(tx, { accountId }, { memberId, ...pin, now })
  }
  await deletePinSessionsOf(tx, accountId, memberId)
  await deleteApprovalsBy(tx, accountId, memberId)
  // Wrong guesses of the PIN before say nothing about this one: an owner thus reopens the tills to the member.
  const tills = await listTills(tx, { accountId })
  await forgive(tx, [atAllTills(accountId, memberId), ...tills.map((till) => subjectOf(till, memberId))])
  return true
}

/** Guessing stops at five wrong PINs of one member at one till within 15 minutes; nothing else is closed (B-pin-3). */
const LIMIT = { max: 5, what: 'wrong PINs' }
const subjectOf = (till: Pick<TillRef, 'id'>, memberId: string) => `pin ${till.id} ${memberId}`

/**
 * A manager can enrol one till after the other, and each has its own count. So the guesses of one member at all tills
 * are counted too. One till reaches 480 a day, so none alone closes the others to a member (decision 0020).
 */
export const DAY_OF_PINS = { prefix: 'pins of', windowMs: 24 * 3_600_000 } as const
const DAY_LIMIT = {
  max: 500,
  what: 'wrong PINs of this member at all tills: sign in with the password, or ask an owner for a new PIN',
  windowMs: DAY_OF_PINS.windowMs,
}
const atAllTills = (accountId: AccountId, memberId: string) =>
  `${DAY_OF_PINS.prefix} ${accountId} ${memberId}`

const wrongPinError = () =>
  new ApiError('INVALID_CREDENTIALS', 'The PIN is wrong. Check who is selected and try again')

/**
 * Checks a PIN at a till and returns its stored hash, to be held in the transaction that relies on it. Throws 403 at a
 * till that is not enrolled, what `requireRole` throws, 401 for a wrong PIN, and 429 after five, or 500 a day at all
 * tills. `onWrong` runs after a wrong one.
 */
export async function checkPin(
  tools: Tools,
  till: TillRef,
  { memberId, pin, now }: { memberId: string; pin: string; now: string },
  more: { requireRole?(role: PinLookup['role']): void; onWrong?(): Promise<unknown> } = {},
): Promise<string> {
  const subject = subjectOf(till, memberId)
  await requireRoom(tools.db, subject, now, LIMIT)
  const found = await findPin(tools.db, till, memberId)
  if (!found.isTill) throw notATill()
  const { pinHash, key: sealed, role } = found
  if (role !== null) more.requireRole?.(role)
  const key = sealed === null ? null : await opened(tools, till.accountId, sealed)
  // The till shows who has a PIN, so this refusal needs no hash to hide behind.
  if (pinHash === null || key === null) throw wrongPinError()
  // Counted before the hash is queued: a till that is refused spends nothing of what its workspace may hash.
  const atThisTill = { subjects: [subject], limit: LIMIT }
  const atAnyTill = { subjects: [atAllTills(till.accountId, memberId)], limit: DAY_LIMIT }
  const isRight = await guardedWithin(tools.db, atThisTill, now, () =>
    guardedWithin(tools.db, atAnyTill, now, async () =>
      (await checkPinOf(till.accountId, pinHash, secretPinOf(key, pin))) ? true : null,
    ),
  )
  if (!isRight) {
    await more.onWrong?.()
    throw wrongPinError()
  }
  return pinHash
}

/** Called after a sign-in: earlier wrong PINs at this till no longer count. */
export const forgivePin = (db: WriteDb, till: TillRef, memberId: string) =>
  forgive(db, [subjectOf(till, memberId)])

/** The PIN was changed while it was checked: the old one opens nothing. */
export const changedPinError = wrongPinError
