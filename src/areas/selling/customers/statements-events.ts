import { type Db, named } from '../../../platform/db/open.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Scope } from '../../../platform/scope.ts'

// One look into the index for each record, so a page costs the same for a bill that was changed a thousand times.
const EVENTS = statement(
  'customer_events',
  `select e.id, r.id as "refId", e.body from unnest($2::text[]) with ordinality as r(id, position)
    cross join lateral (
      select v.id, v.body from events v
        where v.account_id = $1 and v.ref_id = r.id and v.type like $3
          and v.id > case when r.position = 1 then $4 else '' end
        order by v.id limit $5) e
    order by r.position, e.id limit $5`,
)

type EventsQuery = {
  refIds: readonly string[]
  /** A pattern for LIKE. */
  types: string
  /** The id of an event of the first record: the page begins behind it. */
  after: string
  limit: number
}

/** Lists the next events about these records, of any age, record by record. */
export const listEvents = (db: Db, scope: Scope, { refIds, types, after, limit }: EventsQuery) =>
  named<{ id: string; refId: string; body: string }>(db, EVENTS, [
    scope.accountId,
    refIds,
    types,
    after,
    limit,
  ])
