import type { Logger } from 'pino'
import type { PartnerDatabase } from './db.ts'
import type { Keys } from './workspaces/keys.ts'

/** What every part of the partner is given. */
export type Tools = {
  db: PartnerDatabase
  log: Logger
  keys: Keys
  /** The instant, RFC 3339 in UTC. */
  now(): string
  /** Throws while nothing may be removed by age. Read `now` before: a clock may jump after it was judged. */
  requireTrustedClock(): Promise<unknown>
  /** The public address of the partner, without a final slash. */
  publicUrl(): string
  /** Says that a notice, or what else is sent, may be due. */
  wake(): void
}

/** The workspace of a request. */
export type Caller = { workspaceId: string; name: string; isPlatform: boolean }
