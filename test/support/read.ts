import { isSharded } from '../../src/platform/db/open.ts'
import type { Api } from './api.ts'
import { deps } from './service.ts'

/** What the outlet has of the variant; undefined when no level was ever written. */
export const levelOf = async (api: Api, outletId: string, variantId: string): Promise<number | undefined> => {
  const { data } = await api.get(`/inventory/levels?outletId=${outletId}`)
  return data.levels.find((level: { variantId: string }) => level.variantId === variantId)?.quantity
}

export const customerOf = async (api: Api, id: string) => (await api.get(`/customers/${id}`)).data.customer

export const cardOf = async (api: Api, code: string) => (await api.get(`/gift-cards/${code}`)).data.giftCard

/** Bodies of the events of one type, oldest first. */
export async function eventsOf(api: Api, type: string): Promise<Record<string, unknown>[]> {
  const rows = await deps()
    .db.selectFrom('events')
    .select('body')
    .where('accountId', '=', api.workspace.accountId)
    .where('type', '=', type)
    .orderBy('id')
    .execute()
  return rows.map((row) => JSON.parse(row.body).data)
}

/** Data of the events about a record, oldest first, with their types. */
export async function eventsAbout(api: Api, refId: string) {
  const rows = await deps()
    .db.selectFrom('events')
    .select(['type', 'body'])
    .where('accountId', '=', api.workspace.accountId)
    .where('refId', '=', refId)
    .orderBy('id')
    .execute()
  return rows.map(({ type, body }) => ({ type, data: JSON.parse(body).data }))
}

const WAITING = `select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
const WAITING_SOMEWHERE = `select (${WAITING}) + (select coalesce(sum(result::int), 0)::int from run_command_on_workers($1)) as n`

/** False where plain PostgreSQL runs the form of the statements that is for many. */
async function hasWorkers(): Promise<boolean> {
  const { rows } = await deps().pool.query<{ has: boolean }>(
    `select to_regproc('run_command_on_workers') is not null as has`,
  )
  return rows[0]?.has ?? false
}

const PLANNED = 'select reltuples::int as n from pg_class where oid = $1::regclass'
const PLANNED_ON_SHARDS = `select coalesce(sum(result::float8), 0)::int as n
  from run_command_on_shards($1::regclass, $$select reltuples from pg_class where oid = '%s'::regclass$$)`

/** How many rows the planner knows of in a table: of all its shards where it is spread, as each is planned for by itself. */
export async function rowsPlannedFor(table: string): Promise<number> {
  const { rows } = await deps().pool.query<{ n: number }>(
    (await hasWorkers()) ? PLANNED_ON_SHARDS : PLANNED,
    [table],
  )
  return rows[0]?.n ?? 0
}

/** Sessions of this database that wait for a lock: where there are workers, on the one that has the row, or on the coordinator. */
export async function waiting(): Promise<number> {
  const { db, pool } = deps()
  const { rows } =
    isSharded(db) && (await hasWorkers())
      ? await pool.query<{ n: number }>(WAITING_SOMEWHERE, [WAITING])
      : await pool.query<{ n: number }>(WAITING)
  return rows[0]?.n ?? 0
}
