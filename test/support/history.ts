import pg from 'pg'
import { type Api, deps } from './api.ts'
import { type Sent, watching } from './statements.ts'

/** A connection of the test's own: without the time limits that sessions of the service have. */
export async function withClient<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: deps().pool.options.connectionString })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/**
 * Rows by the hundred thousand in seconds: foreign keys of the table are dropped for good (its rows are made to fit), and
 * its indexes are built once, behind the rows.
 */
export async function fillTable(client: pg.Client, table: string, insert: string, values: unknown[] = []) {
  const { rows: keys } = await client.query<{ name: string }>(
    `select conname as name from pg_constraint where contype = 'f' and conrelid = $1::regclass`,
    [table],
  )
  for (const { name } of keys) await client.query(`alter table ${table} drop constraint ${name}`)
  const { rows: indexes } = await client.query<{ name: string; text: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as text from pg_index
      where indrelid = $1::regclass and not indisprimary`,
    [table],
  )
  for (const { name } of indexes) await client.query(`drop index ${name}`)
  await client.query(insert, values)
  for (const { text } of indexes) await client.query(text)
  await client.query(`vacuum analyze ${table}`)
}

export type History = {
  outletId: string
  /** Sales from number `first` on; ids are their numbers, so higher ones are newer. */
  count: number
  first?: number
  /** SQL over the number `n` of a sale. */
  status?: string
  orderType?: string
  kitchenOpen?: string
  shiftId?: string | null
  /** When sale `n` was made and last changed. */
  at?: string
}

/** Completed cash sales of 10,000 with no lines, written as one set. */
export const fillSales = (client: pg.Client, api: Api, history: History) => {
  const { outletId, count, first = 1, status = `'COMPLETED'`, orderType = 'null', shiftId = null } = history
  const { kitchenOpen = 'false', at = `now() - (${first + count} - n) * interval '1 second'` } = history
  return fillTable(
    client,
    'sales',
    `insert into sales (account_id, id, number, outlet_id, shift_id, order_type, status, item_count, subtotal,
        discount_total, order_discount, tax_rate_bps, tax_inclusive, tax_total, delivery_fee, total, paid_total,
        change_total, kitchen_open, cashier_id, created_at, updated_at)
      select $1, 'txn_' || lpad(n::text, 26, '0'), n::text, $2, $3, ${orderType}, ${status}, 1, 10000, 0, 0, 0, false,
        0, 0, 10000, case when ${status} = 'COMPLETED' then 10000 else 0 end, 0, ${kitchenOpen}, 'usr_1', ${at}, ${at}
      from generate_series($4::int, $4::int + $5::int - 1) n`,
    [api.workspace.accountId, outletId, shiftId, first, count],
  )
}

export type Plan = { text: string; buffers: number; indexes: string[] }

/**
 * How the database runs the statements of `work` that match once it knows no value any more: those that are sent by name
 * by their generic plan (what they get from the sixth run on), the others with the values they were sent with.
 */
export async function longRunPlans(which: RegExp, work: () => Promise<unknown>): Promise<Plan[]> {
  const sent: Sent[] = []
  await watching((statement) => sent.push(statement), work)
  const matching = sent.filter(({ text }) => which.test(text))
  return withClient(async (client) => {
    const plans: Plan[] = []
    for (const [index, statement] of matching.entries()) plans.push(await planOf(client, statement, index))
    return plans
  })
}

async function planOf(client: pg.Client, { name, text, values }: Sent, index: number): Promise<Plan> {
  await client.query(
    `set plan_cache_mode = ${name === undefined ? 'force_custom_plan' : 'force_generic_plan'}`,
  )
  await client.query(`prepare plan_${index} as ${text}`)
  const given = values.map(literalOf)
  const call = `execute plan_${index}${given.length === 0 ? '' : `(${given.join(', ')})`}`
  const { rows } = await client.query(`explain (analyze, buffers, timing off, costs off) ${call}`)
  const plan: string = rows.map((row) => row['QUERY PLAN']).join('\n')
  return { text: plan, buffers: buffersOf(plan), indexes: indexesOf(plan) }
}

/** A parameter as it stands in an EXECUTE. */
function literalOf(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  const text = Array.isArray(value)
    ? `{${value.map((entry) => JSON.stringify(entry)).join()}}`
    : typeof value === 'string'
      ? value
      : JSON.stringify(value)
  return pg.escapeLiteral(text)
}

/** Pages touched by the whole statement: the first line of buffers is that of the topmost node. */
function buffersOf(plan: string): number {
  const first = /Buffers: shared (.*)/.exec(plan)?.[1] ?? ''
  return [...first.matchAll(/(?:hit|read)=(\d+)/g)].reduce((sum, [, pages]) => sum + Number(pages), 0)
}

export const indexesOf = (plan: string): string[] =>
  [...plan.matchAll(/(?:Scan(?: Backward)? using|Index Scan on) (\w+)/g)].map(([, name]) => name ?? '')
