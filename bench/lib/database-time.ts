import pg from 'pg'
import { median, percentile } from './figures.ts'

/** Milliseconds of the database alone, planning and execution, median of the runs; `plan` of the last one. */
export type DatabaseTime = { rows: number; ms: number; p99Ms: number; worstMs: number; plan: string }

let prepared = 0

/** The service prepares its statements, so the generic plan is timed. */
export async function databaseTime(
  client: pg.Client,
  { text, values }: { text: string; values: readonly unknown[] },
  runs: number,
): Promise<DatabaseTime> {
  prepared += 1
  await client.query('set plan_cache_mode = force_generic_plan')
  await client.query(`prepare timed_${prepared} as ${text}`)
  const given = values.map((value) => (value === null ? 'null' : pg.escapeLiteral(textOf(value))))
  const execute = `execute timed_${prepared}(${given.join()})`
  const samples: number[] = []
  let plan = ''
  for (let run = 0; run < runs; run += 1) {
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain (analyze, buffers) ${execute}`)
    plan = rows.map((row) => row['QUERY PLAN']).join('\n')
    samples.push(
      [...plan.matchAll(/(?:Planning|Execution) Time: ([\d.]+)/g)].reduce(
        (sum, [, ms]) => sum + Number(ms),
        0,
      ),
    )
  }
  const rows = (await client.query(execute)).rowCount ?? 0
  return {
    rows,
    ms: median(samples),
    p99Ms: percentile(Float64Array.from(samples), 0.99),
    worstMs: Math.max(...samples),
    plan,
  }
}

/** A parameter as PostgreSQL reads it; a list is an array. */
const textOf = (value: unknown): string =>
  Array.isArray(value)
    ? `{${value.map((entry) => JSON.stringify(entry)).join()}}`
    : typeof value === 'string'
      ? value
      : JSON.stringify(value)
