import type { Db, Tx } from '../db/open.ts'
import { deleteOwn, insertOwn, ownRows, updateOwn } from '../db/own-rows.ts'
import type { AccountId } from '../scope.ts'

export type Whose = { readonly accountId: AccountId; readonly memberId: string }

export const find = (db: Db, { memberId, ...account }: Whose) =>
  ownRows(db, account, 'secondFactors')
    .select(['secret', 'confirmedAt'])
    .where('memberId', '=', memberId)
    .executeTakeFirst()

/** Inserts a secret, or replaces an unconfirmed one. */
export const upsertFactor = (tx: Tx, { memberId, ...account }: Whose, secret: string, now: string) =>
  insertOwn(tx, account, 'secondFactors', { memberId, secret, createdAt: now, updatedAt: now })
    .onConflict((conflict) =>
      conflict.columns(['accountId', 'memberId']).doUpdateSet({ secret, updatedAt: now }),
    )
    .execute()

export const confirm = (tx: Tx, { memberId, ...account }: Whose, lastStep: number, now: string) =>
  updateOwn(tx, account, 'secondFactors')
    .set({ confirmedAt: now, lastStep, updatedAt: now })
    .where('memberId', '=', memberId)
    .execute()

/**
 * Consumes all codes up to this step. Returns false if this or a later step was used. One concurrent call succeeds.
 */
export const spendStep = async (
  tx: Tx,
  { memberId, ...account }: Whose,
  step: number,
  now: string,
): Promise<boolean> =>
  (await updateOwn(tx, account, 'secondFactors')
    .set({ lastStep: step, updatedAt: now })
    .where('memberId', '=', memberId)
    .where('confirmedAt', 'is not', null)
    .where('lastStep', '<', step)
    .returning('memberId')
    .executeTakeFirst()) !== undefined

export const remove = async (tx: Tx, { memberId, ...account }: Whose): Promise<boolean> =>
  (await deleteOwn(tx, account, 'secondFactors')
    .where('memberId', '=', memberId)
    .returning('memberId')
    .executeTakeFirst()) !== undefined

const codes = (tx: Tx, { memberId, ...account }: Whose) =>
  deleteOwn(tx, account, 'recoveryCodes').where('memberId', '=', memberId)

export async function replaceCodes(tx: Tx, whose: Whose, hashes: readonly string[], now: string) {
  await codes(tx, whose).execute()
  const { memberId, ...account } = whose
  const rows = hashes.map((codeHash) => ({ memberId, codeHash, createdAt: now }))
  await insertOwn(tx, account, 'recoveryCodes', rows).execute()
}

export const spendCode = async (tx: Tx, whose: Whose, codeHash: string): Promise<boolean> =>
  (await codes(tx, whose).where('codeHash', '=', codeHash).returning('memberId').executeTakeFirst()) !==
  undefined

export const countCodes = async (db: Db, { memberId, ...account }: Whose): Promise<number> =>
  (
    await ownRows(db, account, 'recoveryCodes')
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .where('memberId', '=', memberId)
      .executeTakeFirstOrThrow()
  ).n
