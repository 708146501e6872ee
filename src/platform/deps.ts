import type pg from 'pg'
import type { Logger } from 'pino'
import type { EventType } from '../core/events.ts'
import type { OidcClient } from './auth/oidc.ts'
import type { SignedTokens } from './auth/signed.ts'
import type { Clock } from './clock.ts'
import type { Config } from './config.ts'
import type { WriteDb } from './db/open.ts'
import type { Pulse } from './db/pulse.ts'
import type { JobBoard } from './job-board.ts'
import type { KeptFiles } from './kept-files.ts'
import type { Keyring } from './keyring.ts'
import type { Live } from './live.ts'
import type { Outgoing } from './outgoing/outgoing.ts'
import type { Partners } from './partners/partners.ts'
import type { WorkerPulse } from './sharding/pulse.ts'
import type { Storage } from './storage.ts'

/** Everything the service reaches, in one frozen object passed by hand: the whole injection story. */
export type Deps = {
  readonly config: Config
  readonly clock: Clock
  readonly db: WriteDb
  readonly pool: pg.Pool
  readonly log: Logger
  readonly secrets: Keyring
  readonly tokens: SignedTokens
  /** Null without a provider whose page members may sign in on. */
  readonly oidc: OidcClient | null
  readonly live: Live
  readonly pulse: Pulse
  readonly workers: WorkerPulse
  readonly jobs: JobBoard
  /** Files that members upload. */
  readonly storage: Storage
  /** Feeds as they were last written out. */
  readonly keptFiles: KeptFiles
  /** Calls addresses that strangers name. */
  readonly outgoing: Outgoing
  /** The partners behind the modules. */
  readonly partners: Partners
  /** Every event of the service by its name. */
  readonly events: ReadonlyMap<string, EventType>
}
