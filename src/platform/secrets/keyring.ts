import type { KeyObject } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError } from '../../core/errors.ts'
import type { Clock } from '../clock.ts'
import type { Db } from '../db/open.ts'
import { keyIdOf, type RecordLocation, type SecretKey, secretsOf, signWith } from './secrets.ts'

/**
 * The keys of this installation. One key seals and signs. During a rotation, a second key also opens and verifies
 * (docs/decisions/0018-key-rotation.md). A process learns of a new key from the database, where it is stored sealed
 * with the previous one. It looks every few seconds, and whenever it meets a text or a token under an unknown key.
 */
export type Secrets = {
  /** The id of the current key. */
  readonly keyId: string
  seal(text: string, place: RecordLocation): string
  /**
   * Rejects with NotOpenedError if the text was sealed with a removed key or for another place, or was altered. Any
   * other error says nothing about the text.
   */
  open(sealed: string, place: RecordLocation): Promise<string>
  /**
   * HMAC-SHA256 under a key for this purpose alone, in base64url: for tokens that the service issues and later
   * verifies.
   */
  sign(purpose: string, text: string): string
  /** The signatures of this text that are currently valid, that of the newest key first. */
  signatures(purpose: string, text: string): string[]
  /** The private Ed25519 key for this purpose. */
  signingKey(purpose: string): KeyObject
  /** The public key that belongs to `keyId`; null for an unknown or removed key. */
  verifyingKey(purpose: string, keyId: string): Promise<KeyObject | null>
  /** The current key, for the code that replaces it. */
  current(): SecretKey
  /** The format in which an earlier release stored the fingerprints of requests. */
  earlierMacs(text: string): string[]
  /**
   * Whether this process missed a change of the key. Until it is restarted, everything else here throws 503: what it
   * would seal and sign no other process could open, and it would take what they sealed for lost.
   */
  isLost(): boolean
}

export type Keyring = Secrets & {
  /** Reads the keys from the database. */
  refresh(): Promise<void>
  /** Polls until the returned function is called. */
  watch(): () => void
}

/** A key that only verifies signatures of one purpose. */
type VerificationKey = { keyId: string; purpose: string; key: Buffer }
/** Purposes whose signatures outlive a rotation for as long as their cookies: of known browsers and of tills. */
export const LONG_LIVED = [
  { purpose: 'known browser', days: 365 },
  { purpose: 'till', days: 400 },
] as const

const EVERY_MS = 5_000
/** Limits reads, so that a flood of tokens under invented keys does not become a flood of statements. */
const AGAIN_MS = 1_000

export type SecretsKeyRow = {
  name: string
  keyId: string
  checkValue: string
  sealed: string | null
  expiresAt: string | null
}
export const CURRENT = 'current'
export const NEXT = 'next'
export const PREVIOUS = 'previous'

export const keyRows = (db: Db): Promise<SecretsKeyRow[]> =>
  db.selectFrom('secretsKeys').select(['name', 'keyId', 'checkValue', 'sealed', 'expiresAt']).execute()

const keyLocation = (name: string): RecordLocation => ({
  table: 'secrets_keys',
  column: 'sealed',
  accountId: '',
  row: name,
})

/** A key, sealed with another one for the database. */
export const wrapped = (key: SecretKey, by: SecretKey, name: typeof NEXT | typeof PREVIOUS) =>
  by.seal(key.text(), keyLocation(name))

/** The verification key of one purpose, sealed with another key for the database. */
export const verificationKeyName = (keyId: string, purpose: string) => `signed ${keyId} ${purpose}`
export const wrappedPurpose = (name: string, key: Buffer, by: SecretKey) =>
  by.seal(key.toString('base64'), keyLocation(name))
export const unwrappedPurpose = ({ name, sealed }: SecretsKeyRow, by: SecretKey) =>
  Buffer.from(by.open(sealed ?? '', keyLocation(name)), 'base64')

/** Every key that can be opened with the held keys, by id. */
export function keysOf(rows: readonly SecretsKeyRow[], held: readonly SecretKey[]): Map<string, SecretKey> {
  const keys = new Map(held.map((key) => [key.keyId, key]))
  for (const name of [NEXT, PREVIOUS]) {
    const row = rows.find((one) => one.name === name)
    const by = row?.sealed && keys.get(keyIdOf(row.sealed) ?? '')
    if (!row?.sealed || !by) continue
    const key = secretsOf(Buffer.from(by.open(row.sealed, keyLocation(name)), 'base64'))
    if (key.checkValue === row.checkValue) keys.set(key.keyId, key)
  }
  return keys
}

function toVerificationKeys(
  rows: readonly SecretsKeyRow[],
  current: SecretKey,
  now: string,
): VerificationKey[] {
  return rows.flatMap((row) => {
    const [word, keyId = '', ...purpose] = row.name.split(' ')
    const isKept = word === 'signed' && row.sealed !== null && (row.expiresAt ?? '') > now
    if (!isKept || keyIdOf(row.sealed ?? '') !== current.keyId) return []
    return [{ keyId, purpose: purpose.join(' '), key: unwrappedPurpose(row, current) }]
  })
}

type WatchOptions = {
  db: Db
  clock: Clock
  /** Called when another key becomes the current one. */
  onCurrent(key: SecretKey): Promise<void> | void
  /**
   * Called when the current key can no longer be learned: this process missed a whole rotation, or an operator
   * replaced its key.
   */
  onLost(keyId: string): void
}

/** A keyring with one fixed key, for a test or a tool without a database. */
export const ringOf = (key: SecretKey): Keyring => {
  const nothing = async () => {}
  return Object.assign(
    ringFrom(() => ({ keys: [key], kept: [] }), nothing),
    { refresh: nothing, watch: () => () => {}, isLost: () => false },
  )
}

type Ring = { keys: readonly SecretKey[]; kept: readonly VerificationKey[] }

function ringFrom(ring: () => Ring, learn: () => Promise<void>): Omit<Secrets, 'isLost'> {
  const current = () => ring().keys[0] as SecretKey
  const find = async (keyId: string): Promise<SecretKey | undefined> => {
    const known = () => ring().keys.find((key) => key.keyId === keyId)
    if (!known()) await learn()
    return known()
  }
  return {
    get keyId() {
      return current().keyId
    },
    current,
    seal: (text, place) => current().seal(text, place),
    open: async (sealed, place) => {
      const keyId = keyIdOf(sealed)
      if (keyId !== null) return ((await find(keyId)) ?? current()).open(sealed, place)
      // The first format has no key id.
      for (const key of ring().keys.slice(1)) {
        try {
          return key.open(sealed, place)
        } catch {}
      }
      return current().open(sealed, place)
    },
    sign: (purpose, text) => current().sign(purpose, text),
    signatures: (purpose, text) => [
      ...ring().keys.map((key) => key.sign(purpose, text)),
      ...ring().kept.flatMap((kept) => (kept.purpose === purpose ? [signWith(kept.key, text)] : [])),
    ],
    signingKey: (purpose) => current().signingKey(purpose).privateKey,
    verifyingKey: async (purpose, keyId) => (await find(keyId))?.signingKey(purpose).publicKey ?? null,
    earlierMacs: (text) => ring().keys.map((key) => key.earlierMac(text)),
  }
}

const lostError = () =>
  new ApiError(
    'SERVICE_UNAVAILABLE',
    'The service missed a change of its key and needs a restart: tell who operates it, then try again',
  )

export function createKeyring(held: SecretKey, { db, clock, onCurrent, onLost }: WatchOptions): Keyring {
  let ring: Ring = { keys: [held], kept: [] }
  let reading: Promise<void> | undefined
  let lost: string | undefined
  let readAtMs = Number.NEGATIVE_INFINITY

  const read = async () => {
    const rows = await keyRows(db)
    const known = keysOf(rows, ring.keys)
    const current = known.get(rows.find(({ name }) => name === CURRENT)?.keyId ?? '')
    if (!current) {
      const { keyId } = rows.find(({ name }) => name === CURRENT) ?? { keyId: 'none' }
      if (lost !== keyId) onLost(keyId)
      lost = keyId
      return
    }
    lost = undefined
    const before = ring.keys[0]
    const named = new Set(
      rows.filter(({ name }) => [NEXT, PREVIOUS].includes(name)).map(({ keyId }) => keyId),
    )
    const others = [...known.values()].filter(({ keyId }) => keyId !== current.keyId && named.has(keyId))
    ring = { keys: [current, ...others], kept: toVerificationKeys(rows, current, clock.now()) }
    if (before?.keyId !== current.keyId) await onCurrent(current)
  }
  const refresh = () => {
    reading ??= read().finally(() => {
      readAtMs = performance.now()
      reading = undefined
    })
    return reading
  }
  const learn = async () => {
    // A key may have been created within this second, so a caller that presents one waits for the next look.
    if (reading === undefined) await sleep(Math.max(0, readAtMs + AGAIN_MS - performance.now()))
    await refresh()
  }
  const watch = () => {
    // A poll ignores a database that does not answer; the requests that need the database report it.
    const timer = setInterval(() => void refresh().catch(() => {}), EVERY_MS)
    timer.unref()
    return () => clearInterval(timer)
  }
  const known = () => {
    if (lost !== undefined) throw lostError()
    return ring
  }
  // Assigned, not spread: `keyId` must stay a getter.
  return Object.assign(ringFrom(known, learn), { refresh, watch, isLost: () => lost !== undefined })
}
