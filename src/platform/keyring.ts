import type { KeyObject } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from './clock.ts'
import type { Db } from './db/open.ts'
import { keyIdOf, type Place, type SecretKey, secretsOf, signWith } from './secrets.ts'

/**
 * The keys of this installation: one seals and signs, and while it replaces another both open and verify
 * (docs/decisions/0018-key-rotation.md). A process learns of a new key from the database, where it is kept sealed with the
 * one before: when it looks, every few seconds, or when it meets a text or a token under a key it does not know.
 */
export type Secrets = {
  /** Names the key that seals and signs at present. */
  readonly keyId: string
  seal(text: string, place: Place): string
  /** Rejects when the text was sealed with a key that is gone, in another place, or was altered. */
  open(sealed: string, place: Place): Promise<string>
  /** HMAC-SHA256 under a key of this purpose alone, in base64url: for what the service hands out and takes back. */
  sign(purpose: string, text: string): string
  /** What `sign` may have answered for this text while what it was for still holds, the latest key first. */
  signatures(purpose: string, text: string): string[]
  /** The private key of Ed25519 of this purpose. */
  signingKey(purpose: string): KeyObject
  /** The public key beside the one of `keyId`; null for a key that is not ours or is gone. */
  verifyingKey(purpose: string, keyId: string): Promise<KeyObject | null>
  /** The key that seals and signs at present, for whoever replaces it. */
  current(): SecretKey
  /** How an earlier release stored the fingerprints of requests. */
  earlierMacs(text: string): string[]
}

export type Keyring = Secrets & {
  /** Reads which keys there are. */
  refresh(): Promise<void>
  /** Looks again and again until the answer is called. */
  watch(): () => void
}

/** A key that only checks what was signed for one purpose. */
type Kept = { keyId: string; purpose: string; key: Buffer }
/** What is signed and lives longer than a rotation: the cookie that makes a browser known, for a year. */
export const LONG_LIVED = [{ purpose: 'known browser', days: 365 }] as const

const EVERY_MS = 5_000
/** A flood of tokens under invented keys must not become a flood of statements. */
const AGAIN_MS = 1_000

export type KeyRow = {
  name: string
  keyId: string
  checkValue: string
  sealed: string | null
  expiresAt: string | null
}
export const CURRENT = 'current'
export const NEXT = 'next'
export const PREVIOUS = 'previous'

export const keyRows = (db: Db): Promise<KeyRow[]> =>
  db.selectFrom('secretsKeys').select(['name', 'keyId', 'checkValue', 'sealed', 'expiresAt']).execute()

const placeOfKey = (name: string): Place => ({
  table: 'secrets_keys',
  column: 'sealed',
  accountId: '',
  row: name,
})

/** A key as another one keeps it in the database. */
export const wrapped = (key: SecretKey, by: SecretKey, name: typeof NEXT | typeof PREVIOUS) =>
  by.seal(key.text(), placeOfKey(name))

/** The key that checks signatures of one purpose, as another one keeps it. */
export const keptName = (keyId: string, purpose: string) => `signed ${keyId} ${purpose}`
export const wrappedPurpose = (name: string, key: Buffer, by: SecretKey) =>
  by.seal(key.toString('base64'), placeOfKey(name))
export const unwrappedPurpose = ({ name, sealed }: KeyRow, by: SecretKey) =>
  Buffer.from(by.open(sealed ?? '', placeOfKey(name)), 'base64')

/** Every key that somebody who holds these can know, by id. */
export function keysOf(rows: readonly KeyRow[], held: readonly SecretKey[]): Map<string, SecretKey> {
  const keys = new Map(held.map((key) => [key.keyId, key]))
  for (const name of [NEXT, PREVIOUS]) {
    const row = rows.find((one) => one.name === name)
    const by = row?.sealed && keys.get(keyIdOf(row.sealed) ?? '')
    if (!row?.sealed || !by) continue
    const key = secretsOf(Buffer.from(by.open(row.sealed, placeOfKey(name)), 'base64'))
    if (key.checkValue === row.checkValue) keys.set(key.keyId, key)
  }
  return keys
}

function keptOf(rows: readonly KeyRow[], current: SecretKey, now: string): Kept[] {
  return rows.flatMap((row) => {
    const [word, keyId = '', ...purpose] = row.name.split(' ')
    const isKept = word === 'signed' && row.sealed !== null && (row.expiresAt ?? '') > now
    if (!isKept || keyIdOf(row.sealed ?? '') !== current.keyId) return []
    return [{ keyId, purpose: purpose.join(' '), key: unwrappedPurpose(row, current) }]
  })
}

type Watching = {
  db: Db
  clock: Clock
  /** The key that seals is another one from here on. */
  onCurrent(key: SecretKey): Promise<void> | void
  /** The key of today cannot be learned any more: this process slept through a whole rotation, or somebody gave its key up. */
  onLost(keyId: string): void
}

/** A ring that knows one key for good, for a test or a tool without a database. */
export const ringOf = (key: SecretKey): Keyring => {
  const nothing = async () => {}
  return Object.assign(
    ringFrom(() => ({ keys: [key], kept: [] }), nothing),
    { refresh: nothing, watch: () => () => {} },
  )
}

type Ring = { keys: readonly SecretKey[]; kept: readonly Kept[] }

function ringFrom(ring: () => Ring, learn: () => Promise<void>): Secrets {
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
      // The first form names no key.
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

export function createKeyring(held: SecretKey, { db, clock, onCurrent, onLost }: Watching): Keyring {
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
    const before = ring.keys[0]
    const named = new Set(
      rows.filter(({ name }) => [NEXT, PREVIOUS].includes(name)).map(({ keyId }) => keyId),
    )
    const others = [...known.values()].filter(({ keyId }) => keyId !== current.keyId && named.has(keyId))
    ring = { keys: [current, ...others], kept: keptOf(rows, current, clock.now()) }
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
    // A key may have come within this very second, so whoever shows one waits for the next look.
    if (reading === undefined) await sleep(Math.max(0, readAtMs + AGAIN_MS - performance.now()))
    await refresh()
  }
  const watch = () => {
    // A database that does not answer is told by whoever needs it.
    const timer = setInterval(() => void refresh().catch(() => {}), EVERY_MS)
    timer.unref()
    return () => clearInterval(timer)
  }
  // Assigned, not spread: `keyId` is a getter, and stays one.
  return Object.assign(
    ringFrom(() => ring, learn),
    { refresh, watch },
  )
}
