import type pg from 'pg'
import type { Logger } from 'pino'
import type { EventType } from '../core/events.ts'
import type { OidcClient } from './auth/oidc.ts'
import type { SignedTokens } from './auth/signed.ts'
import type { Clock } from './clock.ts'
import type { Config } from './config/config.ts'
import type { WriteDb } from './db/open.ts'
import type { Places } from './db/places.ts'
import type { Pulse } from './db/pulse.ts'
import type { Replica } from './db/replica.ts'
import type { Disk } from './files/free-space.ts'
import type { KeptFiles } from './files/kept-files.ts'
import type { Storage } from './files/storage.ts'
import type { Images } from './images/images.ts'
import type { JobBoard } from './jobs/board.ts'
import type { Live } from './live/live.ts'
import type { OutgoingClient } from './outgoing/outgoing.ts'
import type { PrinterClient } from './outgoing/printers.ts'
import type { Partners } from './partners/partners.ts'
import type { Keyring } from './secrets/keyring.ts'
import type { WorkerPulse } from './sharding/pulse.ts'

/**
 * Every dependency of the service in one frozen object, passed explicitly: this is the whole dependency injection.
 */
export type Deps = {
  readonly config: Config
  readonly clock: Clock
  readonly db: WriteDb
  readonly pool: pg.Pool
  /** The connection slots of `pool`, shared between the workspaces. */
  readonly slots: Places
  /** Null without READ_REPLICA_URL. */
  readonly replica: Replica | null
  readonly log: Logger
  readonly secrets: Keyring
  readonly tokens: SignedTokens
  /** Null if no OpenID Connect provider is configured. */
  readonly oidc: OidcClient | null
  readonly live: Live
  readonly pulse: Pulse
  /** The current free space of the disks that this process can see. */
  readonly disks: () => Promise<readonly Disk[]>
  readonly workers: WorkerPulse
  readonly jobs: JobBoard
  /** Uploaded files. */
  readonly storage: Storage
  readonly images: Images
  /** Cached feeds. */
  readonly keptFiles: KeptFiles
  /** Calls URLs that strangers provide. */
  readonly outgoing: OutgoingClient
  /** Writes to network printers. */
  readonly printers: PrinterClient
  /** The partners behind the modules. */
  readonly partners: Partners
  /** Every event of the service by name. */
  readonly events: ReadonlyMap<string, EventType>
}
