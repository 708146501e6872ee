import { msBetween } from '../../core/time.ts'
import type { Db, Tx } from '../db/open.ts'
import type { Deps } from '../deps.ts'
import type { Place } from '../secrets.ts'
import { newRecoveryCodes, recoveryHash } from './recovery-codes.ts'
import * as store from './store-second-factor.ts'
import { newTotp, stepOf } from './totp.ts'

export type { Whose } from './store-second-factor.ts'

const placeOf = ({ accountId, memberId }: store.Whose): Place => ({
  table: 'second_factors',
  column: 'secret',
  accountId,
  row: memberId,
})

type Tools = Pick<Deps, 'secrets' | 'log'>
const EPOCH = '1970-01-01T00:00:00.000Z'

/** When a member's second factor was confirmed; null while there is none that counts. */
export const secondFactorSince = async (db: Db, whose: store.Whose): Promise<string | null> =>
  (await store.find(db, whose))?.confirmedAt ?? null

export const countRecoveryCodes = store.countCodes
/** False when there was none. Its recovery codes go along. */
export const removeSecondFactor = store.remove

/** A secret that counts once a code of it was shown; the one before it that was never confirmed is forgotten. */
export async function beginSecondFactor(
  { secrets }: Pick<Deps, 'secrets'>,
  tx: Tx,
  whose: store.Whose,
  label: string,
  now: string,
): Promise<{ secret: string; url: string }> {
  const made = await newTotp(label)
  await store.put(tx, whose, secrets.seal(made.secret, placeOf(whose)), now)
  return made
}

/** The secret, null when there is none or only a lost key opens it: recovery codes need no key. */
async function opened({ secrets, log }: Tools, sealed: string, whose: store.Whose): Promise<string | null> {
  try {
    return await secrets.open(sealed, placeOf(whose))
  } catch (error) {
    log.error({ err: error, memberId: whose.memberId }, 'the secret of a second factor cannot be opened')
    return null
  }
}

const DIGITS = /^\d{6}$/
const stepAt = async (tools: Tools, sealed: string, whose: store.Whose, code: string, now: string) => {
  const digits = code.replaceAll(/\s/g, '')
  const secret = DIGITS.test(digits) ? await opened(tools, sealed, whose) : null
  return secret === null ? null : stepOf(secret, digits, msBetween(EPOCH, now))
}

/** Lets the second factor count from here on; false for a wrong code, and for one that counts already. */
export async function confirmSecondFactor(
  tools: Tools,
  tx: Tx,
  whose: store.Whose,
  code: string,
  now: string,
): Promise<boolean> {
  const found = await store.find(tx, whose)
  if (!found || found.confirmedAt !== null) return false
  const step = await stepAt(tools, found.secret, whose, code, now)
  if (step === null) return false
  await store.confirm(tx, whose, step, now)
  return true
}

/**
 * Uses up a code of the app, or a recovery code, and answers which it was; null when it is wrong, of another time, or was
 * used before, in whatever process.
 */
export async function spendSecondFactor(
  tools: Tools,
  tx: Tx,
  whose: store.Whose,
  code: string,
  now: string,
): Promise<'app' | 'recovery' | null> {
  const found = await store.find(tx, whose)
  if (!found || found.confirmedAt === null) return null
  const step = await stepAt(tools, found.secret, whose, code, now)
  if (step !== null) return (await store.spendStep(tx, whose, step, now)) ? 'app' : null
  const hash = recoveryHash(code)
  return hash !== null && (await store.spendCode(tx, whose, hash)) ? 'recovery' : null
}

/** Ten new recovery codes; those before them work no more. */
export async function renewRecoveryCodes(tx: Tx, whose: store.Whose, now: string): Promise<string[]> {
  const made = newRecoveryCodes()
  await store.replaceCodes(
    tx,
    whose,
    made.flatMap((code) => recoveryHash(code) ?? []),
    now,
  )
  return made
}
