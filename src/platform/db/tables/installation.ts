import type { Generated } from 'kysely'

/** The background jobs of the installation (migration 0023). */
export type JobsRow = {
  name: string
  beat: Generated<number>
  running: Generated<boolean>
  dueAt: string
  startedAt: string | null
  finishedAt: string | null
  unfinishedRuns: Generated<number>
  failedAt: string | null
  failure: string | null
}

/** The clock of the installation's sweeps (migration 0108). */
export type SweepClockRow = {
  name: string
  trustedAt: string
  candidateAt: string | null
  confirmedMs: Generated<number>
  /** The last sweep of ordinary events that left none behind (jobs/sweep.ts). */
  sweptAt: Generated<string | null>
}

/** Written by health checks (platform/db/pulse.ts). */
export type HeartbeatsRow = {
  id: number
  beatAt: string
}

/** A link to the operator page or a session on it (migration 0240). */
export type OperatorTokensRow = {
  tokenHash: string
  kind: 'LINK' | 'SESSION'
  createdAt: string
  expiresAt: string
}

/** A file that `kasir backup` has written (migrations 0240 and 0243). */
export type BackupsRow = {
  takenAt: string
  file: string
  bytes: number | null
  /** Whether its books kept every invariant. */
  sound: boolean
  /** Whether it was written to be restored as a test. */
  toVerify: Generated<boolean>
  /** When it was restored as a test. */
  verifiedAt: string | null
}

/** Tables of the installation; their rows belong to no workspace. */
export type InstallationTables = {
  jobs: JobsRow
  sweepClock: SweepClockRow
  heartbeats: HeartbeatsRow
  operatorTokens: OperatorTokensRow
  backups: BackupsRow
}
