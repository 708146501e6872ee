import { createKeptClient } from './kept-client.ts'

/** Checks whether sales can be saved, on a dedicated connection: a busy pool is not an outage. */
export type Pulse = {
  /**
   * Resolves if the database accepts writes. The last real write is a few seconds old at most. Concurrent callers share
   * one check.
   */
  beat(): Promise<void>
  close(): Promise<void>
}

const PATIENCE_MS = 1_500
const ASK = `select pg_is_in_recovery() or current_setting('transaction_read_only') = 'on' as "isReadOnly"`
/** How long one successful write counts as proof that the next one succeeds. */
const WRITE_EVERY_MS = 5_000
/**
 * Sent as one text, in one transaction. The update of a row needs no new page, so it would succeed on a full disk. The
 * count has too little work_mem and writes about a megabyte to disk, which proves that files can grow. The file goes
 * when the statement ends. The limits end statements that this process no longer waits for: without them, each check
 * would leave a connection behind while commits hang.
 */
const WRITE = `set local statement_timeout = '3s'; set local lock_timeout = '1s'; set local work_mem = '64kB';
select count(*) from generate_series(1, 40000);
insert into heartbeats (id, beat_at) values (1, now()) on conflict (id) do update set beat_at = excluded.beat_at`

export function openPulse(url: string): Pulse {
  const client = createKeptClient({ url, timeoutMs: PATIENCE_MS })
  let asking: Promise<void> | undefined

  let writtenMs = Number.NEGATIVE_INFINITY

  const ask = async () => {
    const known = await client.get()
    if (performance.now() - writtenMs >= WRITE_EVERY_MS) {
      await known.query(WRITE)
      writtenMs = performance.now()
      return
    }
    const { rows } = await known.query<{ isReadOnly: boolean }>(ASK)
    if (rows[0]?.isReadOnly !== false) throw new Error('the database takes no writes')
  }
  return {
    beat: () => {
      asking ??= ask()
        .catch((error: unknown) => {
          writtenMs = Number.NEGATIVE_INFINITY
          void client.forget()
          throw error
        })
        .finally(() => {
          asking = undefined
        })
      return asking
    },
    close: () => client.forget(),
  }
}
