import { beforeAll } from 'vitest'
import { processReferrals } from '../../src/areas/marketing/referrals/worker.ts'
import type { Api } from './api.ts'
import { enableModule } from './build.ts'
import { acme, deps, globex, type HarnessOptions, useService, workspace } from './service.ts'

/** Serves a test file, with the marketing module switched on in both workspaces. */
export function useMarketing(options: HarnessOptions = {}) {
  useService(options)
  beforeAll(async () => {
    for (const api of [acme(), globex()]) await enableModule(api, 'marketing')
  })
}

/** Another workspace with the module switched on. */
export async function marketer(name: string): Promise<Api> {
  const api = await workspace(name)
  await enableModule(api, 'marketing')
  return api
}

const WAIT_MS = 20_000

/**
 * Follows completed sales to the last one. The log is read below the oldest transaction of the whole cluster, and that of
 * another test file may hold it back for a moment.
 */
export async function followSales(): Promise<void> {
  const { pool } = deps()
  const { rows } = await pool.query<{ xid: string }>('select pg_current_xact_id()::text as xid')
  const isSeen = async () => {
    const seen = 'select pg_snapshot_xmin(pg_current_snapshot()) > $1::xid8 as seen'
    return (await pool.query<{ seen: boolean }>(seen, [rows[0]?.xid])).rows[0]?.seen ?? false
  }
  for (const since = performance.now(); !(await isSeen()); ) {
    if (performance.now() - since > WAIT_MS)
      throw new Error('a transaction of another file holds the log back')
    await new Promise((next) => setTimeout(next, 20))
  }
  await processReferrals(deps())
}
