import { randomBytes } from 'node:crypto'
import { isSharded, type Tx } from '../db/open.ts'
import { insertOwn } from '../db/own-rows.ts'
import type { Deps } from '../deps.ts'
import { type CatalogueType, type Scope, touchBoard } from '../scope.ts'
import * as statements from './statements-catalogue.ts'

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
  const tag = randomBytes(6).toString('hex')
  if (isSharded(tx)) await recordInSteps(tx, scope, { changes, tag })
  else await statements.record(tx, scope, { changes, tag })
  touchBoard(scope, 'catalogue', EVERY_OUTLET)
}

async function recordInSteps(tx: Tx, scope: Scope, { changes, tag }: { changes: Change[]; tag: string }) {
  const { now } = scope
  const version = await statements.moveVersion(tx, scope, tag)
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
