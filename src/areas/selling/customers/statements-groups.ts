import { type Db, named, namedWrite, type Tx } from '../../../platform/db/open.ts'
import { statement, writeStatement } from '../../../platform/db/statement.ts'
import type { Scope } from '../../../platform/scope.ts'
import type { CustomerGroup, GroupAssignment } from './schema-groups.ts'

const COLUMNS = `g.id, g.name, (select count(*)::int from customers c where c.account_id = $1 and c.group_ids @> array[g.id])
      as "customerCount", g.created_at as "createdAt", g.updated_at as "updatedAt"`
const LIST = statement(
  'customer_groups_list',
  `select ${COLUMNS} from customer_groups g where g.account_id = $1 order by lower(g.name), g.id`,
)
const FIND = statement(
  'customer_groups_find',
  `select ${COLUMNS} from customer_groups g where g.account_id = $1 and g.id = $2`,
)

export const list = (db: Db, scope: Scope) => named<CustomerGroup>(db, LIST, [scope.accountId])
export async function find(db: Db, scope: Scope, id: string): Promise<CustomerGroup | undefined> {
  const [group] = await named<CustomerGroup>(db, FIND, [scope.accountId, id])
  return group
}

/** Locks the customers in order of id. An erased customer joins no group. */
const ADD = writeStatement(
  'customer_groups_add',
  `with found as materialized (select c.id from customers c where c.account_id = $1 and c.is_active
      and not c.group_ids @> array[$2::text] and cardinality(c.group_ids) < 50
      and ($3::text[] is null or c.id = any($3::text[])) and ($4::bigint is null or c.total_spent >= $4)
      and ($5::timestamptz is null or c.last_visit_at >= $5)
      and ($6::timestamptz is null or c.last_visit_at is null or c.last_visit_at < $6)
      order by c.id for no key update)
    update customers c set group_ids = c.group_ids || $2::text, updated_at = $7 from found f
    where c.account_id = $1 and c.id = f.id returning c.id`,
)

export async function add(
  tx: Tx,
  scope: Scope,
  id: string,
  { customerIds, spentAtLeast, visitedSince, notVisitedSince }: GroupAssignment,
): Promise<number> {
  const rules = [customerIds, spentAtLeast, visitedSince, notVisitedSince].map((rule) => rule ?? null)
  return (await namedWrite(tx, ADD, [scope.accountId, id, ...rules, scope.now])).length
}

/** Locks the customers in order of id. */
const LEAVE = writeStatement(
  'customer_groups_leave',
  `with found as materialized (select c.id from customers c where c.account_id = $1 and c.group_ids @> array[$2::text]
      order by c.id for no key update)
    update customers c set group_ids = array_remove(c.group_ids, $2::text), updated_at = $3 from found f
    where c.account_id = $1 and c.id = f.id`,
)

/** Takes every customer out of a group. */
export const leave = (tx: Tx, scope: Scope, id: string) =>
  namedWrite(tx, LEAVE, [scope.accountId, id, scope.now])
