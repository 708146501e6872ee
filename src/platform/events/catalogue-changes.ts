import { randomBytes } from 'node:crypto'
import { isSharded, namedWrite, type Tx } from '../db/open.ts'
import { insertOwn } from '../db/own-rows.ts'
import { writeStatement } from '../db/statement.ts'
import type { Deps } from '../deps.ts'
import { type CatalogueType, type Scope, touchBoard } from '../scope.ts'

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

type Change = { type: CatalogueType; id: string }
const changeOf = (line: string): Change => {
  const at = line.indexOf(' ')
  return { type: line.slice(0, at) as CatalogueType, id: line.slice(at + 1) }
}

/**
 * Moves the version of the catalogue if the write has changed a record of it, and notes the records (B-catalogue-2).
 * Call it last in the transaction: the version is the last lock of the lock order.
 */
export async function recordCatalogueChanges(tx: Tx, scope: Scope): Promise<void> {
  const changes = [...scope.catalogueChanges].toSorted().map(changeOf)
  if (changes.length === 0) return
  const { accountId, now } = scope
  const tag = randomBytes(6).toString('hex')
  if (isSharded(tx)) await recordInSteps(tx, scope, { changes, tag })
  else {
    const [types, ids] = [changes.map(({ type }) => type), changes.map(({ id }) => id)]
    await namedWrite(tx, RECORD, [accountId, tag, now, types, ids])
  }
  touchBoard(scope, 'catalogue', EVERY_OUTLET)
}

async function recordInSteps(tx: Tx, scope: Scope, { changes, tag }: { changes: Change[]; tag: string }) {
  const { accountId, now } = scope
  const [moved] = await namedWrite<{ version: number }>(tx, MOVE_ALONE, [accountId, tag, now])
  const version = moved?.version ?? 1
  await insertOwn(tx, scope, 'catalogueSteps', { version, tag, createdAt: now }).execute()
  await insertOwn(
    tx,
    scope,
    'catalogueChanges',
    changes.map((change) => ({ ...change, version, updatedAt: now })),
  )
    .onConflict((on) => on.columns(['accountId', 'type', 'id']).doUpdateSet({ version, updatedAt: now }))
    .execute()
}

/** Stands for all outlets in the line of a board. */
export const EVERY_OUTLET = '*'

/** Announces the changes of a transaction that was committed outside of `runWrite`. */
export function publishBoards(deps: Pick<Deps, 'live'>, scope: Scope): void {
  if (scope.boards.size > 0) deps.live.publish(scope.accountId, scope.boards)
}
