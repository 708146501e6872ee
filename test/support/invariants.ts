import { expect } from 'vitest'
import { brokenInvariants, type Part } from '../../src/platform/db/invariants.ts'
import type { Db } from '../../src/platform/db/open.ts'

/** The sentences of invariants/invariants.sql hold; reads every workspace of the database. */
export async function assertInvariants(db: Db, parts?: readonly Part[]) {
  const broken = await brokenInvariants(db, parts)
  expect(broken.map(({ name, rows }) => ({ name, rows }))).toEqual([])
}

/** Holds after every operation on stock, whatever was accepted or refused. */
export const assertStockInvariants = (db: Db) => assertInvariants(db, ['stock'])
