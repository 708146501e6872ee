import { msBetween } from '../../core/time.ts'
import type { Db, Tx } from '../db/open.ts'
import type { Deps } from '../deps.ts'
import { NotOpenedError, type RecordLocation } from '../secrets/secrets.ts'
import { newRecoveryCodes, recoveryHash } from './recovery-codes.ts'
import * as store from './store-second-factor.ts'
import { newTotp, stepOf } from './totp.ts'

export type { Whose } from './store-second-factor.ts'

const locationOf = ({ accountId, memberId }: store.Whose): RecordLocation => ({
  table: 'second_factors',
  column: 'secret',
  accountId,
  row: memberId,
})

type Tools = Pick<Deps, 'secrets' | 'log'>

/** Throttle subject: a member's wrong codes count together, wherever they are entered. */
export const codeSubject = (memberId: string) => `code ${memberId}`

const EPOCH = '1970-01-01T00:00:00.000Z'

/** When a member's second factor was confirmed, or null if none is confirmed. */
export const secondFactorSince = async (db: Db, whose: store.Whose): Promise<string | null> =>
  (await store.find(db, whose))?.confirmedAt ?? null

export const countRecoveryCodes = store.countCodes
/** Returns false if there was none. Its recovery codes are removed with it. */
export const removeSecondFactor = store.remove

/** Creates a secret that becomes active when a code confirms it. It replaces an earlier unconfirmed secret. */
export async function beginSecondFactor(
  { secrets }: Pick<Deps, 'secrets'>,
  tx: Tx,
  whose: store.Whose,
  { label, now }: { label: string; now: string },
): Promise<{ secret: string; url: string }> {
  const made = await newTotp(label)
  await store.upsertFactor(tx, whose, secrets.seal(made.secret, locationOf(whose)), now)
  return made
}

/**
 * Decrypts the secret. Returns null if there is none or its key is lost: recovery codes still work without the key.
 */
async function opened({ secrets, log }: Tools, sealed: string, whose: store.Whose): Promise<string | null> {
  try {
    return await secrets.open(sealed, locationOf(whose))
  } catch (error) {
    if (!(error instanceof NotOpenedError)) throw error
    log.error({ err: error, memberId: whose.memberId }, 'could not decrypt the secret of a second factor')
    return null
  }
}

const DIGITS = /^\d{6}$/
const stepAt = async (
  tools: Tools,
  { sealed, whose, code, now }: { sealed: string; whose: store.Whose; code: string; now: string },
) => {
  const digits = code.replaceAll(/\s/g, '')
  const secret = DIGITS.test(digits) ? await opened(tools, sealed, whose) : null
  return secret === null ? null : stepOf(secret, digits, msBetween(EPOCH, now))
}

/** Activates the second factor. Returns false if the code is wrong or the factor is already active. */
export async function confirmSecondFactor(
  tools: Tools,
  tx: Tx,
  whose: store.Whose,
  { code, now }: { code: string; now: string },
): Promise<boolean> {
  const found = await store.find(tx, whose)
  if (!found || found.confirmedAt !== null) return false
  const step = await stepAt(tools, { sealed: found.secret, whose, code, now })
  if (step === null) return false
  await store.confirm(tx, whose, step, now)
  return true
}

/**
 * Consumes an app code or a recovery code and returns its kind. Returns null if it is wrong, not currently valid or
 * already used, in any process.
 */
export async function spendSecondFactor(
  tools: Tools,
  tx: Tx,
  whose: store.Whose,
  { code, now }: { code: string; now: string },
): Promise<'app' | 'recovery' | null> {
  const found = await store.find(tx, whose)
  if (!found || found.confirmedAt === null) return null
  const step = await stepAt(tools, { sealed: found.secret, whose, code, now })
  if (step !== null) return (await store.spendStep(tx, whose, step, now)) ? 'app' : null
  const hash = recoveryHash(code)
  return hash !== null && (await store.spendCode(tx, whose, hash)) ? 'recovery' : null
}

/** Creates ten recovery codes; earlier codes stop working. */
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
