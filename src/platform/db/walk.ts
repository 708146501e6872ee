import { type Expression, type RawBuilder, sql } from 'kysely'

/**
 * Reads rows newest first along the index on the workspace, the columns of `by`, and the id. With `outlet_id = $2` the
 * primary key is in id order too, and with outdated statistics the planner may walk it through the whole workspace. So
 * each column of `by` joins the order, as a range of one value: no other index has that order.
 */
type Walk<Value> = {
  by: readonly (readonly [column: string, value: Value])[]
  id: string
  /** The range of ids; null leaves that end open. */
  from: Value | null
  before: Value | null
}
type RangeBound<Value> = { columns: string[]; operator: '>=' | '<=' | '<'; values: Value[] }

function boundsOf<Value>({ by, id, from, before }: Walk<Value>): RangeBound<Value>[] {
  const columns = by.map(([name]) => name)
  const values = by.map(([, value]) => value)
  const bounds: RangeBound<Value>[] = [
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

/** For the query builder. Columns have their names in the code. */
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

/** For an SQL text. Columns have their names in the database, and values are inserted unchanged (`$2`). */
export const walkText = (along: Walk<string>): { where: string; order: string } => ({
  where: boundsOf(along)
    .map(({ columns, operator, values }) => `(${columns.join()}) ${operator} (${values.join()})`)
    .join(' and '),
  order: orderOf(along)
    .map((name) => `${name} desc`)
    .join(),
})
