import type { Pooler } from 'kasir/partner-tools'
import type { Logger } from 'pino'

export type PartnerOptions = {
  databaseUrl: string
  /** The same without the pooler in front; `databaseUrl` by default. */
  directUrl?: string
  /** What stands at `databaseUrl`, as `findPooler` found it. */
  pooler?: Pooler | null
  /** The address to listen on; this machine alone by default. */
  host?: string
  /** 0 takes a free one. */
  port: number
  /** Opens and closes everything: at least 16 characters. Keys of workspaces are made from it. */
  platformKey: string
  /** `whsec_` and base64: signs notices. */
  webhookSecret: string
  /** The address for notices; without one they wait. A service that is about to listen knows it a moment later. */
  noticeUrl: string | null | (() => string | null)
  /** The public address of the partner; by default the address that it listens on. */
  publicUrl?: string | null
  poolSize?: number
  log: Logger
  now?: () => string
  /** Throws while the clock is not trusted, so that nothing is removed by age. If absent, the clock is trusted. */
  requireTrustedClock?: () => Promise<unknown>
  /** Seconds before each attempt at a notice. */
  noticeSchedule?: readonly number[]
}
