import { newId } from '../../core/ids.ts'
import type { AccountId } from '../scope.ts'
import { randomToken } from '../secrets/secrets.ts'

/**
 * Keys and cookies contain the workspace id in plain text, so a sharded database looks them up on one worker
 * (B-secret-1, B-auth-6).
 */
const ULID = '[0-9A-HJKMNP-TV-Z]{26}'
const KEY = new RegExp(`^kasir_sk_(${ULID})_[A-Za-z0-9_-]{43}$`)
const SESSION = new RegExp(`^(${ULID})\\.[A-Za-z0-9_-]{43}$`)

/** Ends in 128 random bits. */
const RECEIPT = new RegExp(`^(${ULID})[A-Za-z0-9_-]{22}$`)

const CLAIM = new RegExp(`^acc_${ULID}$`)

/** Idle 7 days sliding, absolute 30 days (B-auth-6). */
export const SESSION_IDLE_MS = 7 * 86_400_000
export const SESSION_ABSOLUTE_MS = 30 * 86_400_000

export const KEY_PREFIX = 'kasir_sk_'
/** The last characters of a key, listed so that its owner recognises it. */
export const lastOfKey = (key: string) => key.slice(-4)

const ulidOf = (accountId: string) => accountId.slice('acc_'.length)
/** A workspace that is being signed up. */
export const newAccountId = () => newId('account') as unknown as AccountId
/** A workspace id found by another secret, such as an e-mail address with its password. */
export const foundAccountId = (stored: string) => stored as AccountId
/** The only place that mints an AccountId from what a caller sent; the lookup that follows proves it. */
const accountOf = (ulid: string) => `acc_${ulid}` as AccountId

export const newKey = (accountId: AccountId) => `${KEY_PREFIX}${ulidOf(accountId)}_${randomToken()}`
export const newReceiptToken = (accountId: AccountId) => `${ulidOf(accountId)}${randomToken(16)}`
export const newSessionToken = (accountId: AccountId) => `${ulidOf(accountId)}.${randomToken()}`

/** The workspace of a verified token, or null if the id is malformed. */
export const accountOfClaim = (text: string): AccountId | null =>
  CLAIM.test(text) ? (text as AccountId) : null

export function accountOfKey(key: string): AccountId | null {
  const ulid = KEY.exec(key)?.[1]
  return ulid === undefined ? null : accountOf(ulid)
}

export function accountOfSession(token: string): AccountId | null {
  const ulid = SESSION.exec(token)?.[1]
  return ulid === undefined ? null : accountOf(ulid)
}

/** The workspace that the token of a public receipt names; null if the token is malformed. */
export function accountOfReceipt(token: string): AccountId | null {
  const ulid = RECEIPT.exec(token)?.[1]
  return ulid === undefined ? null : accountOf(ulid)
}
