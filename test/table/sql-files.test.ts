import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const AREAS = fileURLToPath(new URL('../../src/areas/', import.meta.url))
const PLATFORM = fileURLToPath(new URL('../../src/platform/', import.meta.url))
/** The tools themselves, which speak of statements of either kind. */
const TOOLS = /^db\//

type Source = { file: string; text: string }

const isBuilt = (text: string) =>
  /\.(?:selectFrom|insertInto|updateTable|deleteFrom|mergeInto)\(|\b(?:ownRows|insertOwn|updateOwn|deleteOwn)\(/.test(
    text,
  )
/** A text of its own, declared under a name. */
const isText = (text: string) => /\b(?:statement|writeStatement)\(/.test(text)
/** The sql tag makes fragments for the builder; run as a whole it would be a text without a name. */
const runsTag = (text: string) =>
  /`\s*\.execute\(/.test(text) || /\.execute\(\s*\w/.test(text) || /\brunText\(/.test(text)

/** Where a file may hold SQL, by its name; in the folder `store/` of a large room any file holds one of the two. */
const mayBuild = (file: string) => /\/store(?:-[\w-]+)?\.ts$|\/store\//.test(file)
const mayHoldText = (file: string) => /\/statements(?:-[\w-]+)?\.ts$|\/store\//.test(file)

const isMixed = (text: string) => isBuilt(text) && isText(text)
const MIXED = 'one file has either the query builder or SQL as text'

function faultsOf({ file, text }: Source): string[] {
  const faults: string[] = []
  if (isBuilt(text) && !mayBuild(file)) faults.push('the query builder belongs into store.ts')
  if (isText(text) && !mayHoldText(file)) faults.push('SQL as text belongs into statements.ts')
  if (runsTag(text)) faults.push('a whole text is declared by statement() or writeStatement()')
  if (isMixed(text)) faults.push(MIXED)
  return faults.map((fault) => `${file}: ${fault}`)
}

async function sources(folder: string): Promise<Source[]> {
  const files = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith('.ts'))
  return Promise.all(files.map(async (file) => ({ file, text: await readFile(join(folder, file), 'utf8') })))
}

test('a room keeps what the query builder says in store.ts, SQL as text in statements.ts, and never mixes them', async () => {
  const all = await sources(AREAS)
  expect(all.filter(({ text }) => isBuilt(text)).length).toBeGreaterThan(15)
  expect(all.filter(({ text }) => isText(text)).length).toBeGreaterThan(15)
  expect(all.flatMap(faultsOf)).toEqual([])
})

test('no file of the platform mixes what the query builder says with SQL as text', async () => {
  const all = (await sources(PLATFORM)).filter(({ file }) => !TOOLS.test(file))
  expect(all.filter(({ text }) => isBuilt(text)).length).toBeGreaterThan(5)
  expect(all.filter(({ text }) => isText(text)).length).toBeGreaterThan(5)
  expect(all.filter(({ text }) => isMixed(text)).map(({ file }) => file)).toEqual([])
})

test('only these files build a text instead of declaring it', async () => {
  const building = (await sources(PLATFORM)).filter(({ text }) => /\brunText(?:<[^(]*>)?\(/.test(text))
  expect(building.map(({ file }) => file.replaceAll('\\', '/')).sort()).toEqual([
    'db/invariants.ts',
    'db/open.ts',
    'db/statistics.ts',
    'jobs/sweep.ts',
    'secrets/rotation.ts',
    'sharding/holders.ts',
  ])
})

test('the scan finds SQL in the wrong file, and both kinds in one', () => {
  const built = "db.selectFrom('outlets')"
  const text = "const FIND = statement('find', 'select 1')"
  const found = (file: string, source: string) => faultsOf({ file, text: source }).length
  expect(found('a/b/store.ts', built)).toBe(0)
  expect(found('a/b/store-floors.ts', built)).toBe(0)
  expect(found('a/b/service.ts', built)).toBe(1)
  expect(found('a/b/service.ts', "ownRows(db, scope, 'outlets')")).toBe(1)
  expect(found('a/b/statements.ts', built)).toBe(1)
  expect(found('a/b/statements-moves.ts', text)).toBe(0)
  expect(found('a/b/store.ts', text)).toBe(1)
  expect(found('a/b/store.ts', 'sql`select 1`\n    .execute(db)')).toBe(1)
  expect(found('a/b/statements.ts', 'sql`select 1`.execute(\n  tx,\n)')).toBe(1)
  expect(found('a/b/statements.ts', 'const one = sql`select 1`\none.execute(db)')).toBe(1)
  expect(found('a/b/statements.ts', "runText(db, 'select 1')")).toBe(1)
  expect(found('a/b/store.ts', `${built}.where(sql<boolean>\`id = any(\${ids})\`).execute()`)).toBe(0)
  expect(found('a/b/store/read.ts', text)).toBe(0)
  expect(found('a/b/store/read.ts', built + text)).toBe(1)
})
