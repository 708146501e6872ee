import { type Expression, type RawBuilder, sql } from 'kysely'

/**
 * Rows newest first along the one index whose columns are the workspace, those of `by`, and the id. With `outlet_id = $2`
 * the primary key is in order of ids too, and whether the planner walks it through all of the workspace depends on what
 * it last saw of the table. So each column of `by` is part of the order, as a range that holds one value: no other index
 * has that order.
 */
type Walk<Value> = {
  by: readonly (readonly [column: string, value: Value])[]
  id: string
  /** Ids between which the walk stays; null leaves that end open. */
  from: Value | null
  before: Value | null
}
type Bound<Value> = { columns: string[]; operator: '>=' | '<=' | '<'; values: Value[] }

function boundsOf<Value>({ by, id, from, before }: Walk<Value>): Bound<Value>[] {
  const columns = by.map(([name]) => name)
  const values = by.map(([, value]) => value)
  const bounds: Bound<Value>[] = [
    from === null
      ? { columns, operator: '>=', values }
      : { columns: [...columns, id], operator: '>=', values: [...values, from] },
    before === null
      ? { columns, operator: '<=', values }
      : { columns: [...columns, id], operator: '<', values: [...values, before] },
  ]
  return bounds.filter((bound) => bound.columns.length > 0)
}

const orderOf = ({ by, id }: Walk<unknown>) => [...by.map(([name]) => name), id]

const OPERATORS = { '>=': sql`>=`, '<=': sql`<=`, '<': sql`<` } as const

/** For the query builder; columns as the code calls them. */
export function walk(along: Walk<Expression<string>>): {
  where: RawBuilder<boolean>
  order: RawBuilder<unknown>
} {
  const bounds = boundsOf(along).map(
    ({ columns, operator, values }) =>
      sql`(${sql.join(columns.map((name) => sql.ref(name)))}) ${OPERATORS[operator]} (${sql.join(values)})`,
  )
  return {
    where: bounds.length === 0 ? sql<boolean>`true` : sql<boolean>`${sql.join(bounds, sql` and `)}`,
    order: sql.join(orderOf(along).map((name) => sql`${sql.ref(name)} desc`)),
  }
}

/** For a text; columns as the database calls them, values as they stand in it (`$2`). */
export const walkText = (along: Walk<string>): { where: string; order: string } => ({
  where: boundsOf(along)
    .map(({ columns, operator, values }) => `(${columns.join()}) ${operator} (${values.join()})`)
    .join(' and '),
  order: orderOf(along)
    .map((name) => `${name} desc`)
    .join(),
})
