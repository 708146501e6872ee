import { isOver } from './deadline.ts'

/** The turn of one tab, as a row in the database. Pure. */

export const LEASE_MS = 20_000

export type Lease = { owner: string; untilMs: number }

/** Whether a tab may take the turn: it has it already, or no other tab does. */
export const isLeaseFree = (lease: Lease | undefined, owner: string, nowMs: number): boolean =>
  lease === undefined || lease.owner === owner || isOver(lease.untilMs, LEASE_MS, nowMs)
