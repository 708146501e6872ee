import { namedWrite, type Tx } from '../db/open.ts'
import { writeStatement } from '../db/statement.ts'
import type { CatalogueType, Scope } from '../scope.ts'

const MOVE = `insert into catalogue_versions as v (account_id, version, tag, updated_at) values ($1, 1, $2, $3)
    on conflict (account_id) do update set version = v.version + 1, tag = excluded.tag, updated_at = excluded.updated_at
    returning version`

const RECORD = writeStatement(
  'catalogue_record',
  `with moved as (${MOVE}), step as (
      insert into catalogue_steps (account_id, version, tag, created_at) select $1, m.version, $2, $3 from moved m)
    insert into catalogue_changes (account_id, type, id, version, updated_at)
    select $1, c.type, c.id, m.version, $3 from moved m, unnest($4::text[], $5::text[]) c (type, id)
    on conflict (account_id, type, id) do update set version = excluded.version, updated_at = excluded.updated_at`,
)
const MOVE_ALONE = writeStatement('catalogue_move', MOVE)

type Changes = { changes: readonly { type: CatalogueType; id: string }[]; tag: string }

/** Moves the version and notes the changed records, in one statement. */
export const record = (tx: Tx, { accountId, now }: Scope, { changes, tag }: Changes) =>
  namedWrite(tx, RECORD, [accountId, tag, now, changes.map(({ type }) => type), changes.map(({ id }) => id)])

/** Moves the version alone, and returns the new one. */
export async function moveVersion(tx: Tx, { accountId, now }: Scope, tag: string): Promise<number> {
  const [moved] = await namedWrite<{ version: number }>(tx, MOVE_ALONE, [accountId, tag, now])
  return moved?.version ?? 1
}
