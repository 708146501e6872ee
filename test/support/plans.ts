import pg from 'pg'
import { deps } from './service.ts'
import { type SentStatement, watching } from './statements.ts'

/** A connection of the test's own: without the time limits that sessions of the service have. */
export async function withClient<T>(
  work: (client: pg.Client) => Promise<T>,
  url = deps().pool.options.connectionString,
): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

export type Plan = { text: string; buffers: number; indexes: string[] }

/** With the values of one run, or for all values, which is what a prepared statement gets from its sixth run on. */
type Mode = 'custom' | 'generic'

/**
 * How the database runs the statements of `work` that match once it knows no value any more: those that are sent by
 * name by their generic plan, the others with the values they were sent with.
 */
export const longRunPlans = (which: RegExp, work: () => Promise<unknown>): Promise<Plan[]> =>
  plansBy(which, work, ({ name }) => [name === undefined ? 'custom' : 'generic'])

/** How the database runs the statements of `work` that match, each both with its values and for all values. */
export const allPlans = (which: RegExp, work: () => Promise<unknown>): Promise<Plan[]> =>
  plansBy(which, work, () => ['custom', 'generic'])

async function plansBy(
  which: RegExp,
  work: () => Promise<unknown>,
  modesOf: (sent: SentStatement) => Mode[],
) {
  const sent: SentStatement[] = []
  await watching((statement) => sent.push(statement), work)
  const matching = sent.filter(({ text }) => which.test(text))
  return withClient(async (client) => {
    const plans: Plan[] = []
    for (const statement of matching)
      for (const mode of modesOf(statement)) plans.push(await planOf(client, statement, mode, plans.length))
    return plans
  })
}

/** One look of a plan into a table: by which index, and by which of its columns; a whole table has none. */
export type Look = { statement: string; table: string; by: string; columns: string[]; plan: string }

const LOOK =
  /(?:Index (?:Only )?Scan(?: Backward)? using (\w+) on (\w+)|Seq Scan on (\w+)|Bitmap Index Scan on (\w+))[^\n]*((?:\n(?!\s*->)[^\n]*)*)/g
const CONDITION = /Index Cond: ([^\n]*)/
const COMPARED = /\(\(*(?:\w+\.)?(\w+)\)?(?:::\w+)? (?:=|<|>|<=|>=) /g

/** With an empty list among its values a statement is planned for what it has nothing to do with, and that for a few runs. */
const modesFor = (values: readonly unknown[]): Mode[] =>
  values.some((value) => Array.isArray(value) && value.length === 0) ? ['generic'] : ['custom', 'generic']

/**
 * Where the named statements of `work` look, each planned both with its values and for all values; nothing of them is run
 * again.
 */
export async function looksOf(which: RegExp, work: () => Promise<unknown>): Promise<Look[]> {
  const sent = new Map<string, SentStatement>()
  await watching((one) => {
    if (one.name !== undefined && which.test(one.name)) sent.set(one.name, one)
  }, work)
  return withClient(async (client) => {
    const looks: Look[] = []
    for (const [statement, { text, values }] of sent)
      for (const mode of modesFor(values)) {
        await client.query(`set plan_cache_mode = force_${mode}_plan`)
        await client.query(`prepare ${statement} as ${text}`)
        const { rows } = await client.query(
          `explain (costs off) execute ${statement}(${values.map(literalOf).join(', ')})`,
        )
        await client.query(`deallocate ${statement}`)
        const plan: string = rows.map((row) => row['QUERY PLAN']).join('\n')
        for (const [, index, table, whole, bitmap, detail = ''] of plan.matchAll(LOOK)) {
          const condition = CONDITION.exec(detail)?.[1] ?? ''
          const columns = [...condition.matchAll(COMPARED)].map(([, column]) => column ?? '')
          looks.push({
            statement,
            table: table ?? whole ?? bitmap ?? '',
            by: index ?? bitmap ?? '',
            columns,
            plan,
          })
        }
      }
    return looks
  })
}

async function planOf(
  client: pg.Client,
  { text, values }: SentStatement,
  mode: Mode,
  index: number,
): Promise<Plan> {
  await client.query(`set plan_cache_mode = force_${mode}_plan`)
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
  const first = /Buffers: shared (.*)/.exec(plan.split('\nPlanning:')[0] ?? '')?.[1] ?? ''
  return [...first.matchAll(/(?:hit|read)=(\d+)/g)].reduce((sum, [, pages]) => sum + Number(pages), 0)
}

export const indexesOf = (plan: string): string[] =>
  [...plan.matchAll(/(?:Scan(?: Backward)? using|Index Scan on) (\w+)/g)].map(([, name]) => name ?? '')

/** How the database plans the statements of `work` that match, each with the values it was sent with. */
export async function plansOf(pool: pg.Pool, which: RegExp, work: () => Promise<unknown>): Promise<string[]> {
  const sent: SentStatement[] = []
  await watching((statement) => sent.push(statement), work)
  const plans: string[] = []
  for (const { text, values } of sent.filter((statement) => which.test(statement.text))) {
    const { rows } = await pool.query(`explain ${text}`, values)
    plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'))
  }
  return plans
}
