import { type Statement, statement } from '../../../platform/db/statement.ts'

const COLUMNS = `e.id, e.type, e.ref_id as "refId", e.created_at as "createdAt", e.cause, e.body, e.tx::text as tx`

/**
 * Frequent types. The latest events contain enough of them, so they need no index. The index on types excludes them
 * by name.
 */
const FREQUENT_TYPES: readonly string[] = ['service.sale.completed.v1', 'service.payment.received.v1']
const isSeldom = `e.type not in (${FREQUENT_TYPES.map((type) => `'${type}'`).join(', ')})`

export type Filters = { type?: string | undefined; resource?: string | undefined; since?: string | undefined }

/**
 * A condition of a filter. Only the filters that are sent become part of the text, so that each combination has the
 * plan that its index allows.
 */
type EventCondition = {
  name: string
  sql(next: (name: 'type' | 'resource' | 'since' | 'firstId') => string): string
}

const narrowingOf = ({ type, resource, since }: Filters): EventCondition[] => [
  ...(resource === undefined
    ? []
    : [{ name: 'resource', sql: (next) => `e.ref_id = ${next('resource')}` } satisfies EventCondition]),
  ...(type === undefined
    ? []
    : FREQUENT_TYPES.includes(type)
      ? [{ name: 'frequent', sql: (next) => `e.type = ${next('type')}` } satisfies EventCondition]
      : [
          {
            name: 'type',
            sql: (next) => `e.type = ${next('type')} and ${isSeldom}`,
          } satisfies EventCondition,
        ]),
  // Ids contain the time, so the first transaction since an instant is found without reading earlier ones.
  ...(since === undefined
    ? []
    : [
        {
          name: 'since',
          sql: (next) => `e.created_at >= ${next('since')}::timestamptz
            and e.tx >= (select coalesce(min(x.tx), $5::text::xid8)
              from events x where x.account_id = $1 and x.id >= ${next('firstId')})`,
        } satisfies EventCondition,
      ]),
]

/** Newest first, before the id $2 if it is given; at most $3 rows. */
const newestText = (where: string) => `select ${COLUMNS} from events e
  where e.account_id = $1 and ($2::text is null or e.id < $2)${where} order by e.id desc limit $3`

/**
 * Events in the order of transactions, after the position $2, $3; at most $4 rows. Reads only transactions before $5,
 * the oldest one still running, so that no event can appear before a returned one.
 */
const oldestText = (where: string) => `select ${COLUMNS} from events e
  where e.account_id = $1 and (e.tx, e.id) > ($2::text::xid8, $3) and e.tx < $5::text::xid8${where}
  order by e.tx, e.id limit $4`

const LISTS = {
  newest: { text: newestText, parameters: 3 },
  oldest: { text: oldestText, parameters: 5 },
} as const

const known = new Map<string, Statement>()

/** Returns the statement of a list with these filters, and the names of its additional parameters. */
export function listStatement(order: keyof typeof LISTS, filters: Filters) {
  const { text, parameters } = LISTS[order]
  const names: ('type' | 'resource' | 'since' | 'firstId')[] = []
  const narrowings = narrowingOf(filters)
  const where = narrowings
    .map(({ sql }) => ` and ${sql((name) => `$${parameters + names.push(name)}`)}`)
    .join('')
  const name = ['events', order, ...narrowings.map((one) => one.name)].join('_')
  const found = known.get(name) ?? statement(name, text(where))
  known.set(name, found)
  return { found, names }
}
