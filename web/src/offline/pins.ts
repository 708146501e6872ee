import type { Account, PinHolder } from 'kasir-client'
import { database } from './database.ts'
import { isOver } from './deadline.ts'

/**
 * Members who used their PIN here can switch offline. The device keeps a salted PBKDF2 hash: a lock of this screen,
 * no proof to the service, which asks for the PIN again once it can be reached.
 */

type KeptPin = {
  salt: Uint8Array<ArrayBuffer>
  hash: Uint8Array
  wrong: number
  lastWrongMs: number
  /** The workspace of the member; absent in a PIN that an older version kept. */
  account?: Account
}
type KeptPins = Record<string, KeptPin>

const NAME = 'pins'
const ROUNDS = 300_000
const MOST_WRONG = 5
const WRONG_FOR_MS = 15 * 60_000

/** Browsers hash on https and localhost only. */
export const canKeepPins = (): boolean => globalThis.crypto.subtle !== undefined

async function hashOf(pin: string, salt: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const { subtle } = crypto
  const key = await subtle.importKey('raw', new TextEncoder().encode(pin), 'PBKDF2', false, ['deriveBits'])
  const bits = await subtle.deriveBits(
    { name: 'PBKDF2', hash: 'SHA-256', salt, iterations: ROUNDS },
    key,
    256,
  )
  return new Uint8Array(bits)
}

const readPins = async (): Promise<KeptPins> =>
  ((await (await database()).get('notes', NAME)) as KeptPins | undefined) ?? {}

async function writePin(memberId: string, kept: KeptPin) {
  const tx = (await database()).transaction('notes', 'readwrite')
  const pins = ((await tx.store.get(NAME)) ?? {}) as KeptPins
  await tx.store.put({ ...pins, [memberId]: kept }, NAME)
  await tx.done
}

/** Remembers a PIN that the service has accepted. */
export async function keepPin(memberId: string, pin: string, account: Account) {
  if (!canKeepPins()) return
  const salt = crypto.getRandomValues(new Uint8Array(16))
  await writePin(memberId, { salt, hash: await hashOf(pin, salt), wrong: 0, lastWrongMs: 0, account })
}

export type PinRefusal = 'wrong' | 'unknown' | 'tooMany'

/**
 * Checks a PIN on this device alone; five wrong ones close it for a quarter of an hour. A right one returns the
 * workspace of the member.
 */
export async function checkPinHere(
  { id }: Pick<PinHolder, 'id'>,
  pin: string,
): Promise<Account | PinRefusal> {
  if (!canKeepPins()) return 'unknown'
  const kept = (await readPins())[id]
  if (!kept?.account) return 'unknown'
  const isRecent = !isOver(kept.lastWrongMs + WRONG_FOR_MS, WRONG_FOR_MS, Date.now())
  if (kept.wrong >= MOST_WRONG && isRecent) return 'tooMany'
  const hash = await hashOf(pin, kept.salt)
  const isRight = hash.every((byte, at) => byte === kept.hash[at])
  const wrong = isRight ? 0 : (isRecent ? kept.wrong : 0) + 1
  await writePin(id, { ...kept, wrong, lastWrongMs: isRight ? 0 : Date.now() })
  return isRight ? kept.account : 'wrong'
}
