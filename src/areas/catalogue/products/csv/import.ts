import { once } from 'node:events'
import type { Writable } from 'node:stream'
import { stringify } from 'csv-stringify/sync'
import { ApiError } from '../../../../core/errors.ts'
import { guarded } from '../../../../core/spreadsheet.ts'
import { inTx, type Tx } from '../../../../platform/db/open.ts'
import { isRetryable } from '../../../../platform/db/pg-errors.ts'
import { inSavepoint } from '../../../../platform/db/savepoint.ts'
import { analyzeTables } from '../../../../platform/db/statistics.ts'
import type { Deps } from '../../../../platform/deps.ts'
import { retrying } from '../../../../platform/http/idempotency.ts'
import { checker, normalise } from '../../../../platform/http/validate.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { createCategory } from '../../categories/index.ts'
import { type Product, ProductIn, ProductPatch } from '../schema.ts'
import { createProduct, createProducts, updateProduct } from '../service.ts'
import { findMany } from '../statements-products.ts'
import { COLUMN_OF, type Column } from './columns.ts'
import { type Fault, type Group, groupOf, keyOf, newProductOf, patchOf, targetOf, wantedOf } from './match.ts'
import { type Row, readRows } from './read.ts'
import * as store from './statements.ts'

export type Summary = {
  rows: number
  created: number
  updated: number
  unchanged: number
  /** Products that were left as they are because one of their rows was refused. */
  refused: number
}
export type ImportOptions = {
  /** Everything is tried and nothing is kept. */
  dryRun?: boolean
  onProgress?: (rows: number) => void
  /** Receives `row,column,product,sku,problem` for every row that cannot be taken. */
  reportStream?: Writable
}

/** Products of one transaction: few enough that tills never wait long for their locks. */
const PORTION = 200
const FILLED = ['categories', 'products', 'variants'] as const
/** From so many new rows on PostgreSQL would look at a table by itself (`autovacuum_analyze_threshold`), but later. */
const MANY = 50
/** Portions after which the planner looks at the growing tables. */
const LEARN_AFTER = new Set([1, 10, 50])

/**
 * Writes a catalogue into the workspace through the same functions as the API, a portion of products per transaction.
 * A product is taken whole or not at all; what already is as the file says is left alone, so a file may be sent
 * again. 422 param `file` when it cannot be read as a catalogue; portions before the fault stay.
 */
export async function importCatalogue(
  deps: Deps,
  scope: Scope,
  source: AsyncIterable<Uint8Array>,
  { dryRun = false, onProgress = () => {}, reportStream }: ImportOptions = {},
): Promise<Summary> {
  const summary: Summary = { rows: 0, created: 0, updated: 0, unchanged: 0, refused: 0 }
  const report = reportTo(reportStream)
  const seen = new Map<string, number>()
  let portions = 0
  for await (const portion of portionsOf(readRows(source))) {
    const groups = portion.map((rows) => withRepeats(groupOf(rows), seen))
    const outcome = await retrying(scope, () => runPortion(deps, scope, groups, dryRun))
    for (const kind of outcome.kinds) summary[kind] += 1
    summary.rows += portion.reduce((sum, rows) => sum + rows.length, 0)
    await report(groups, outcome.faults)
    onProgress(summary.rows)
    portions += 1
    if (LEARN_AFTER.has(portions) && !dryRun) await analyzeTables(deps, FILLED)
  }
  if (!dryRun && summary.created >= MANY) await analyzeTables(deps, FILLED)
  return summary
}

/** Rows of the same product follow each other; this many products make a portion. */
async function* portionsOf(rows: AsyncIterable<Row>): AsyncGenerator<Row[][]> {
  let portion: Row[][] = []
  const keys = new Set<string>()
  let current = ''
  for await (const row of rows) {
    const key = keyOf(row.cells)
    if (key === current && portion.length > 0) {
      portion.at(-1)?.push(row)
      continue
    }
    // A product that comes again later is met again once what came before is stored.
    if (portion.length >= PORTION || keys.has(key)) {
      yield portion
      portion = []
      keys.clear()
    }
    keys.add(key)
    current = key
    portion.push([row])
  }
  if (portion.length > 0) yield portion
}

/** A code that appears twice in the file is a mistake: the second row would overwrite the first. */
function withRepeats(group: Group, seen: Map<string, number>): Group {
  for (const { row, fields } of group.variants) {
    for (const column of ['sku', 'barcode'] as const) {
      const code = fields[column]
      if (!code || fields.isActive === false) continue
      const earlier = seen.get(`${column} ${code}`)
      if (earlier === undefined) seen.set(`${column} ${code}`, row)
      else group.faults.push({ row, column, problem: `${code} is already used in row ${earlier}` })
    }
  }
  return group
}

type Kind = 'created' | 'updated' | 'unchanged' | 'refused'
type Outcome = { kinds: Kind[]; faults: Fault[] }
/** Takes the transaction of a dry run back, with its outcome. */
type Undo = Error & { undo: Outcome }

async function runPortion(deps: Deps, scope: Scope, groups: Group[], dryRun: boolean): Promise<Outcome> {
  const work = async (tx: Tx) => {
    const outcome = await writePortion(tx, scope, groups)
    if (dryRun) throw Object.assign(new Error('dry run'), { undo: outcome }) satisfies Undo
    return outcome
  }
  return inTx(deps.db, work).catch((thrown: unknown) => {
    if (thrown instanceof Error && 'undo' in thrown) return (thrown as Undo).undo
    throw thrown
  })
}

/** A group beside the product that it means, or what keeps it from being taken. */
type Meant = { group: Group; known: Product | null; categoryId: string | null | undefined; faults: Fault[] }

async function writePortion(tx: Tx, scope: Scope, groups: Group[]): Promise<Outcome> {
  const meant = await meantOf(tx, scope, groups)
  if (await writeAllNew(tx, scope, meant))
    return outcomeOf(meant.map(() => ({ kind: 'created', faults: [] })))
  const written: Written[] = []
  for (const one of meant) {
    const isRefused = one.faults.length > 0
    written.push(isRefused ? { kind: 'refused', faults: one.faults } : await write(tx, scope, one))
  }
  return outcomeOf(written)
}

const outcomeOf = (written: readonly Written[]): Outcome => ({
  kinds: written.map(({ kind }) => kind),
  faults: written.flatMap(({ faults }) => faults),
})

async function meantOf(tx: Tx, scope: Scope, groups: Group[]): Promise<Meant[]> {
  const found = await store.findProducts(tx, scope, wantedOf(groups))
  const categories = await categoriesOf(tx, scope, groups)
  const targets = groups.map((group) => targetOf(group, found))
  const ids = [...new Set(targets.flatMap(({ productId }) => productId ?? []))]
  const products = new Map((await findMany(tx, scope, ids)).map((product) => [product.id, product]))
  return groups.map((group, index) => {
    const { productId = null, fault } = targets[index] ?? {}
    return {
      group,
      known: productId === null ? null : (products.get(productId) ?? null),
      categoryId: group.category ? categories.get(group.category.toLowerCase()) : group.category,
      faults: [...group.faults, ...(fault ? [fault] : [])],
    }
  })
}

const checkNew = checker(ProductIn, 'body')
const checkPatch = checker(ProductPatch, 'body')
const NOTHING: ReadonlySet<string> = new Set()

function newOf({ group, categoryId }: Meant): ProductIn {
  const input = normalise(newProductOf(group, categoryId), NOTHING)
  checkNew(input)
  return input as ProductIn
}

const isRefusal = (error: unknown): error is ApiError =>
  !isRetryable(error) && error instanceof ApiError && error.status < 500

/**
 * Makes the products of a portion together, as a catalogue that comes in for the first time has nothing but new ones. False
 * where one of them is not new or is refused: nothing was written, and each is to be taken by itself.
 */
async function writeAllNew(tx: Tx, scope: Scope, meant: readonly Meant[]): Promise<boolean> {
  if (meant.some(({ known, faults }) => known !== null || faults.length > 0)) return false
  try {
    const inputs = meant.map(newOf)
    await inSavepoint(tx, () => createProducts(tx, scope, inputs))
    return true
  } catch (error) {
    if (isRefusal(error)) return false
    throw error
  }
}

type Written = { kind: Kind; faults: Fault[] }

async function write(tx: Tx, scope: Scope, meant: Meant): Promise<Written> {
  const { group, known, categoryId } = meant
  const change = known && patchOf(known, group, categoryId)
  if (known && !change) return { kind: 'unchanged', faults: [] }
  const rows = change ? change.rows : group.variants.map(({ row }) => row)
  try {
    await inSavepoint(tx, async () => {
      if (known && change) {
        const patch = normalise(change.patch, NOTHING)
        checkPatch(patch)
        await updateProduct(tx, scope, known.id, patch as ProductPatch)
      } else {
        await createProduct(tx, scope, newOf(meant))
      }
    })
    return { kind: known ? 'updated' : 'created', faults: [] }
  } catch (error) {
    if (!isRefusal(error)) throw error
    return { kind: 'refused', faults: [faultOf(error, group, rows)] }
  }
}

/** The row and column a refusal of the service speaks of. */
function faultOf(error: ApiError, group: Group, rows: readonly (number | null)[]): Fault {
  const first = group.rows[0]?.row ?? 0
  const [, index, field] = /^variants\[(\d+)\]\.?(\w*)/.exec(error.param ?? '') ?? []
  if (index === undefined) {
    const named = (error.details as { field?: Column } | undefined)?.field
    const column = COLUMN_OF[error.param ?? ''] ?? named ?? 'product'
    const value = (error.details as { value?: string } | undefined)?.value
    const row = group.rows.find(({ cells }) => value !== undefined && cells[column] === value)?.row ?? first
    return { row, column, problem: error.message }
  }
  const column = COLUMN_OF[`variants.${field}`] ?? 'variant'
  const problem = error.message.replace(/^variants\[\d+\]\.\w+ /, '')
  return { row: rows[Number(index)] ?? first, column, problem }
}

/** Category ids by name in lower case; a name nobody has yet becomes a category. */
async function categoriesOf(tx: Tx, scope: Scope, groups: readonly Group[]): Promise<Map<string, string>> {
  const names = [
    ...new Set(groups.flatMap(({ category, faults }) => (category && faults.length === 0 ? category : []))),
  ]
  const known = new Map<string, string>()
  if (names.length === 0) return known
  for (const { id, name } of await store.findCategories(tx, scope, names)) {
    if (!known.has(name.toLowerCase())) known.set(name.toLowerCase(), id)
  }
  for (const name of names) {
    if (known.has(name.toLowerCase()) || [...name].length > 80) continue
    known.set(name.toLowerCase(), (await createCategory(tx, scope, { name })).id)
  }
  return known
}

const REPORT = ['row', 'column', 'product', 'sku', 'problem']

/** Writes the header with the first fault, and waits while the reader of the report is slow. */
function reportTo(stream: Writable | undefined) {
  let begun = false
  return async (groups: readonly Group[], faults: readonly Fault[]) => {
    if (!stream || faults.length === 0) return
    const rows = new Map(groups.flatMap((group) => group.rows.map((row) => [row.row, row])))
    const lines = faults.map(({ row, column, problem }) => {
      const cells = rows.get(row)?.cells
      return [String(row), column, cells?.product ?? '', cells?.sku ?? '', problem].map(guarded)
    })
    const text = stringify(begun ? lines : [REPORT, ...lines])
    begun = true
    if (!stream.write(text)) await once(stream, 'drain')
  }
}
