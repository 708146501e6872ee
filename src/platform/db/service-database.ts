import path from 'node:path'
import type { StartError } from '../../core/fault.ts'
import type { Config } from '../config/config.ts'

/** `directUrl` leads to PostgreSQL itself, without a pooler: session locks and LISTEN need it. */
export type RunningDatabase = { url: string; directUrl: string; stop(graceMs?: number): Promise<void> }

export type OpenDatabaseOptions = {
  say: (line: string) => void
  /** Called when the embedded database keeps dying and is no longer restarted. */
  onLost?: (error: StartError) => void
  /** Aborting it ends a start that waits for the data directory or its database; the start then throws the reason. */
  signal?: AbortSignal
}

/** Opens the configured database: the one at DATABASE_URL, or the embedded one under DATA_DIR. */
export async function openDatabase(
  config: Config,
  { say, onLost, signal }: OpenDatabaseOptions,
): Promise<RunningDatabase> {
  const { databaseUrl: url } = config
  if (url !== null) return { url, directUrl: config.listenUrl ?? url, stop: async () => {} }
  const { startEmbeddedAfterCommands } = await import('./embedded.ts')
  const embedded = await startEmbeddedAfterCommands({
    dataDir: path.resolve(config.dataDir),
    say,
    command: 'serve',
    ...(onLost ? { onLost } : {}),
    ...(signal ? { signal } : {}),
  })
  return { url: embedded.url, directUrl: embedded.url, stop: embedded.stop }
}
