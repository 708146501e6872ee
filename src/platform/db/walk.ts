import { type Expression, type RawBuilder, sql } from 'kysely'

/** The columns of an index between the workspace and the id, with what each must be. */
type Leading = readonly (readonly [column: string, value: Expression<string>])[]
/** Ids between which the walk stays; null leaves its end open. */
type Ids = { column: string; from: string | null; before: string | null }

/**
 * Rows newest first along the one index whose columns are the workspace, `leading` and the id. With `outlet_id = $2` the
 * primary key is in order of ids too, and whether the planner walks it through all of the workspace depends on what it
 * last saw of the table. So every column is part of the order, as a range that holds one value: no other index has it.
 */
export function walk(leading: Leading, { column, from, before }: Ids) {
  const columns = leading.map(([name]) => sql.ref(name))
  const values = leading.map(([, value]) => value)
  const beyond = (operator: RawBuilder<unknown>, id: string) =>
    sql<boolean>`(${sql.join([...columns, sql.ref(column)])}) ${operator} (${sql.join([...values, sql.val(id)])})`
  const ends = [from === null ? sql`>=` : null, before === null ? sql`<=` : null].map((operator) =>
    operator !== null && leading.length > 0
      ? [sql<boolean>`(${sql.join(columns)}) ${operator} (${sql.join(values)})`]
      : [],
  )
  const conditions = [
    ...ends.flat(),
    ...(from === null ? [] : [beyond(sql`>=`, from)]),
    ...(before === null ? [] : [beyond(sql`<`, before)]),
  ]
  return {
    where: conditions.length === 0 ? sql<boolean>`true` : sql<boolean>`${sql.join(conditions, sql` and `)}`,
    order: sql.join([...columns, sql.ref(column)].map((one) => sql`${one} desc`)),
  }
}
