import pg from 'pg'
import { deps } from './service.ts'
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

export type Plan = { text: string; buffers: number; indexes: string[] }

/**
 * How the database runs the statements of `work` that match once it knows no value any more: those that are sent by
 * name by their generic plan (what they get from the sixth run on), the others with the values they were sent with.
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

/** How the database plans the statements of `work` that match, each with the values it was sent with. */
export async function plansOf(pool: pg.Pool, which: RegExp, work: () => Promise<unknown>): Promise<string[]> {
  const sent: Sent[] = []
  await watching((statement) => sent.push(statement), work)
  const plans: string[] = []
  for (const { text, values } of sent.filter((statement) => which.test(statement.text))) {
    const { rows } = await pool.query(`explain ${text}`, values)
    plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'))
  }
  return plans
}
