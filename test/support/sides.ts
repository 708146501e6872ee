// Workspaces of a cluster by the worker that their rows lie on.

import type { Api } from './api.ts'
import { openShop, type Shop } from './build.ts'
import { deps, workspace } from './service.ts'

/** A workspace with a shop; `group` is the number of its worker in the cluster. */
export type Side = { api: Api; shop: Shop; group: number }

const GROUP = `select groupid as "group" from pg_dist_placement
  where shardid = get_shard_id_for_distribution_column('accounts', $1::text)`

async function groupOf({ workspace: { accountId } }: Api): Promise<number> {
  const { rows } = await deps().pool.query<{ group: number }>(GROUP, [accountId])
  return rows[0]?.group ?? 0
}

/** A new workspace on a worker that is wanted. */
export async function sideOf(isWanted: (place: { group: number }) => boolean): Promise<Side> {
  for (;;) {
    const api = await workspace()
    const group = await groupOf(api)
    if (isWanted({ group })) return { api, shop: await openShop(api), group }
  }
}

/** Which worker of its script a node is: their ports follow that of the coordinator. */
export async function placeOf(group: number): Promise<number> {
  const { rows } = await deps().pool.query<{ port: number }>(
    'select nodeport as port from pg_dist_node where groupid = $1',
    [group],
  )
  return (rows[0]?.port ?? 0) - Number(new URL(deps().pool.options.connectionString ?? '').port)
}

/** Ids of all its sales. */
export async function soldBy({ workspace: { accountId } }: Api): Promise<string[]> {
  const { rows } = await deps().pool.query<{ id: string }>('select id from sales where account_id = $1', [
    accountId,
  ])
  return rows.map(({ id }) => id)
}

/**
 * Takes the worker of a workspace out of reach, and answers how it comes back. The coordinator looks for it at a port where
 * nobody listens, one of its own for each: no other database of the cluster notices.
 */
export async function loseWorker({ group }: Pick<Side, 'group'>): Promise<() => Promise<void>> {
  const { pool } = deps()
  const { rows } = await pool.query<{ port: number }>(
    'select nodeport as port from pg_dist_node where groupid = $1',
    [group],
  )
  const move = (port: number | undefined) =>
    pool.query('update pg_dist_node set nodeport = $2 where groupid = $1', [group, port])
  await move(group)
  return async () => void (await move(rows[0]?.port))
}
