import { randomBytes } from 'node:crypto'
import { addMs } from '../../core/time.ts'
import type { Clock } from '../clock.ts'
import { inTx, runText, type Tx, type WriteDb } from '../db/open.ts'
import { isRetryable } from '../db/pg-errors.ts'
import { SEALED } from '../db/tables.ts'
import type { Deps } from '../deps.ts'
import { job } from '../jobs/worker.ts'
import { requireSavedKey } from './key-file.ts'
import {
  CURRENT,
  keyRows,
  keysOf,
  LONG_LIVED,
  NEXT,
  PREVIOUS,
  type SecretsKeyRow,
  unwrappedPurpose,
  verificationKeyName,
  wrapped,
  wrappedPurpose,
} from './keyring.ts'
import { KEY_BYTES, keyIdOf, type RecordLocation, type SecretKey, secretsOf } from './secrets.ts'

/** Rows per statement: few enough for the statement timeout. */
const PAGE = 2_000
/**
 * The old key outlives everything it signed: tokens of assistants last 15 minutes, a sign-in at an OpenID provider
 * ten.
 */
const GRACE_MS = 60 * 60_000
const DAY_MS = 24 * 3_600_000
const EVERY_MS = 60_000

type Tools = { db: WriteDb; clock: Clock }
export type Rotation = { from: SecretKey; to: SecretKey; isCurrent: boolean; forgetAt: string | null }

const findByName = (rows: readonly SecretsKeyRow[], name: string) => rows.find((row) => row.name === name)

/** The unfinished rotation, as far as the held key can open it; null if there is none. */
function rotationOf(rows: readonly SecretsKeyRow[], held: SecretKey): Rotation | null {
  const keys = keysOf(rows, [held])
  const [to, from] = [findByName(rows, NEXT), findByName(rows, PREVIOUS)].map(
    (row) => row && keys.get(row.keyId),
  )
  if (!to || !from) return null
  const isCurrent = findByName(rows, CURRENT)?.keyId === to.keyId
  return { from, to, isCurrent, forgetAt: findByName(rows, PREVIOUS)?.expiresAt ?? null }
}

export const findRotation = async ({ db }: Pick<Tools, 'db'>, held: SecretKey): Promise<Rotation | null> =>
  rotationOf(await keyRows(db), held)

/**
 * Writes the next key beside the current one, each sealed with the other. If two operators rotate concurrently, the
 * second continues with the key of the first.
 */
export async function announceKey(tools: Tools, held: SecretKey, given: SecretKey | null): Promise<Rotation> {
  const next = given ?? secretsOf(randomBytes(KEY_BYTES))
  return inTx(tools.db, async (tx) => {
    await lockKeys(tx)
    const known = rotationOf(await keyRows(tx), held)
    if (known) return known
    const now = tools.clock.now()
    const rowOf = (name: typeof NEXT | typeof PREVIOUS, key: SecretKey, by: SecretKey) => ({
      name,
      keyId: key.keyId,
      checkValue: key.checkValue,
      sealed: wrapped(key, by, name),
      createdAt: now,
      updatedAt: now,
    })
    const rows = [rowOf(NEXT, next, held), rowOf(PREVIOUS, held, next)]
    await tx.insertInto('secretsKeys').values(rows).execute()
    return { from: held, to: next, isCurrent: false, forgetAt: null }
  })
}

const lockKeys = (tx: Tx) =>
  tx.selectFrom('secretsKeys').select('name').where('name', '=', CURRENT).forUpdate().execute()

/** From here on every process seals with the next key, after its next look. A second call changes nothing. */
export const adoptKey = ({ db, clock }: Tools, { to, from }: Rotation) =>
  inTx(db, async (tx) => {
    await lockKeys(tx)
    const rows = await keyRows(tx)
    const { keyId, checkValue } = to
    if (findByName(rows, CURRENT)?.keyId !== from.keyId) return
    await tx
      .updateTable('secretsKeys')
      .set({ keyId, checkValue, updatedAt: clock.now() })
      .where('name', '=', CURRENT)
      .execute()
    // Seals the long-lived verification keys with the new key.
    for (const row of rows.filter(({ name, sealed }) => name.startsWith('signed ') && sealed !== null)) {
      if (keyIdOf(row.sealed ?? '') !== from.keyId) continue
      const sealed = wrappedPurpose(row.name, unwrappedPurpose(row, from), to)
      await tx.updateTable('secretsKeys').set({ sealed }).where('name', '=', row.name).execute()
    }
  })

export type ResealCount = { table: string; column: string; rows: number; lost: number }

/**
 * Re-seals every column of SEALED that another key sealed, page by page along the primary key. If another transaction
 * changes a row meanwhile, the row is skipped: that transaction seals with the current key. Texts that no known key
 * opens stay unchanged.
 */
export async function resealAll(
  { db }: Pick<Tools, 'db'>,
  { from, to }: Pick<Rotation, 'from' | 'to'>,
  { stop, onPage = () => {} }: { stop?: AbortSignal; onPage?(seen: number): void } = {},
): Promise<ResealCount[]> {
  const done: ResealCount[] = []
  for (const one of SEALED) done.push(await resealColumn(db, one, { keys: { from, to }, stop, onPage }))
  return done
}

type SealedColumn = (typeof SEALED)[number]
type SealedRow = { accountId: string; row: string; text: string | null; size: number }

/** The key columns of a row besides its workspace, in SQL. */
const rowIn = ({ row }: SealedColumn) => ('column' in row ? `t.${row.column}` : `'${row.word}'::text`)

/**
 * The next page of a column: the texts not sealed by key $3, and the last row of the page, from which the next page
 * starts.
 */
const pageOf = (one: SealedColumn) => `with page as materialized (
    select t.account_id, ${rowIn(one)} as row, t.${one.column} as text from ${one.table} t
    where (t.account_id, ${rowIn(one)}) > ($1, $2) order by t.account_id, ${rowIn(one)} limit ${PAGE}
  ), numbered as (select *, row_number() over (order by account_id, row) as n, count(*) over () as size from page)
  select account_id as "accountId", row, size::int as size,
    case when text like 'sealed.%' and text not like $3 then text end as text
  from numbered where (text like 'sealed.%' and text not like $3) or n = size order by n`

const replaceIn = (one: SealedColumn) => `update ${one.table} t set ${one.column} = r.next
  from unnest($1::text[], $2::text[], $3::text[], $4::text[]) as r (account_id, row, old, next)
  where t.account_id = r.account_id and ${rowIn(one)} = r.row and t.${one.column} = r.old`

async function resealColumn(
  db: WriteDb,
  one: SealedColumn,
  {
    keys: { from, to },
    stop,
    onPage,
  }: { keys: Pick<Rotation, 'from' | 'to'>; stop: AbortSignal | undefined; onPage: (seen: number) => void },
): Promise<ResealCount> {
  const { table, column } = one
  const told = { table, column, rows: 0, lost: 0 }
  for (let after = ['', '']; !stop?.aborted; ) {
    const { rows } = await runText<SealedRow>(db, pageOf(one), [...after, `sealed.v2.${to.keyId}.%`])
    const last = rows.at(-1)
    if (!last) break
    const changed = rows.flatMap(({ accountId, row, text }) => {
      if (text === null) return []
      const next = resealed(text, { table, column, accountId, row } as RecordLocation, from, to)
      if (next === null) told.lost += 1
      return next === null ? [] : [{ accountId, row, text, next }]
    })
    const columns = (['accountId', 'row', 'text', 'next'] as const).map((key) => changed.map((it) => it[key]))
    if (changed.length > 0) told.rows += (await withRetries(() => runText(db, replaceIn(one), columns))).count
    onPage(last.size)
    after = [last.accountId, last.row]
  }
  return told
}

const resealed = (text: string, place: RecordLocation, from: SecretKey, to: SecretKey): string | null => {
  try {
    return to.seal(from.open(text, place), place)
  } catch {
    return null
  }
}

/** If two rotations deadlock, the database aborts one, which runs its page again. */
async function withRetries<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work()
    } catch (error) {
      if (!isRetryable(error) || attempt === 4) throw error
    }
  }
}

/**
 * Marks the old key for removal in an hour, once every row is sealed with the current key. Returns the time of
 * removal.
 */
export async function retireKey({ db, clock }: Tools, { from }: Rotation): Promise<string> {
  const [now, expiresAt] = [clock.now(), addMs(clock.now(), GRACE_MS)]
  await db
    .updateTable('secretsKeys')
    .set({ expiresAt, updatedAt: now })
    .where('name', '=', PREVIOUS)
    .where('keyId', '=', from.keyId)
    .where('expiresAt', 'is', null)
    .execute()
  return findByName(await keyRows(db), PREVIOUS)?.expiresAt ?? now
}

/** Removes the old key from the database, except the part that verifies its long-lived signatures. */
export const dropKey = ({ db, clock }: Tools, { from, to }: Rotation) =>
  inTx(db, async (tx) => {
    await lockKeys(tx)
    const rows = await keyRows(tx)
    if (findByName(rows, CURRENT)?.keyId !== to.keyId || findByName(rows, PREVIOUS)?.keyId !== from.keyId)
      return
    const now = clock.now()
    const kept = LONG_LIVED.map(({ purpose, days }) => {
      const name = verificationKeyName(from.keyId, purpose)
      const sealed = wrappedPurpose(name, from.signer(purpose), to)
      const { keyId, checkValue } = from
      return {
        name,
        keyId,
        checkValue,
        sealed,
        expiresAt: addMs(now, days * DAY_MS),
        createdAt: now,
        updatedAt: now,
      }
    })
    // A key that was current before may already be listed here, and has signed since: its verification key is kept
    // for a year from now.
    await tx
      .insertInto('secretsKeys')
      .values(kept)
      .onConflict((conflict) =>
        conflict.column('name').doUpdateSet(({ ref }) => ({
          keyId: ref('excluded.keyId'),
          checkValue: ref('excluded.checkValue'),
          sealed: ref('excluded.sealed'),
          expiresAt: ref('excluded.expiresAt'),
          updatedAt: ref('excluded.updatedAt'),
        })),
      )
      .execute()
    await tx.deleteFrom('secretsKeys').where('name', 'in', [NEXT, PREVIOUS]).execute()
  })

/**
 * Completes a rotation whose command has ended: re-seals the remaining rows, and removes the old key when its time
 * has come.
 */
export async function finishRotation(tools: Deps, stop?: AbortSignal): Promise<void> {
  const rotation = await findRotation(tools, tools.secrets.current())
  if (!rotation?.isCurrent) return
  await resealAll(tools, rotation, stop ? { stop } : {})
  if (stop?.aborted) return
  const forgetAt = await retireKey(tools, rotation)
  if (forgetAt > tools.clock.now()) return
  await requireSavedKey(tools.config, rotation.to)
  await dropKey(tools, rotation)
}

export const rotationJob = job({
  name: 'rotation',
  everyMs: EVERY_MS,
  // Does nothing while the command is running or the old key is in its last hour.
  hasWork: async ({ db, clock }) => {
    const previous = findByName(await keyRows(db), PREVIOUS)
    const current = findByName(await keyRows(db), CURRENT)
    if (!previous || previous.keyId === current?.keyId) return false
    return previous.expiresAt === null || previous.expiresAt <= clock.now()
  },
  run: (tools, stop) => finishRotation(tools, stop),
})
