import { once } from 'node:events'
import type { Writable } from 'node:stream'
import { stringify } from 'csv-stringify/sync'
import {
  addRepeats,
  addToIndex,
  type CsvRow,
  type FileIndex,
  faultOf,
  groupOf,
  keyOf,
  newIndex,
  type ProductGroup,
} from '../../../../core/catalogue-file/groups.ts'
import {
  newProductOf,
  onSaleFaults,
  patchOf,
  targetOf,
  toProductLookup,
} from '../../../../core/catalogue-file/match.ts'
import { ApiError } from '../../../../core/errors.ts'
import { guarded } from '../../../../core/spreadsheet.ts'
import { inTx, type Tx } from '../../../../platform/db/open.ts'
import { isLockTimeout, isRetryable } from '../../../../platform/db/pg-errors.ts'
import { inSavepoint } from '../../../../platform/db/savepoint.ts'
import { analyzeTables } from '../../../../platform/db/statistics.ts'
import type { Deps } from '../../../../platform/deps.ts'
import { publishBoards, recordCatalogueChanges } from '../../../../platform/events/catalogue-changes.ts'
import { retrying } from '../../../../platform/http/idempotency.ts'
import { checker, normalise } from '../../../../platform/http/validate.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { createCategory } from '../../categories/index.ts'
import { ImportedPatch, ImportedProduct, type Product, type ProductIn, type ProductPatch } from '../schema.ts'
import { createProduct, createProducts, updateProduct } from '../service.ts'
import { findMany } from '../statements-products.ts'
import { lockMany } from '../store.ts'
import { readRows } from './read.ts'
import { type ReportLine, toReportLine } from './sentences.ts'
import * as store from './statements.ts'

export type ImportSummary = {
  rows: number
  created: number
  updated: number
  unchanged: number
  /** Products that were not imported because one of their rows was rejected. */
  refused: number
}
export type ImportOptions = {
  /** Writes every row and rolls it back. */
  dryRun?: boolean
  onProgress?: (rows: number) => void
  /** Receives `row,column,product,sku,problem` for every rejected row. */
  reportStream?: Writable
}

type ImportWork = { deps: Deps; scope: Scope; index: FileIndex; dryRun: boolean }

/** Products per transaction. A small number keeps the locks short, so tills do not wait long. */
const PORTION = 200
const FILLED = ['categories', 'products', 'variants'] as const
/** PostgreSQL analyzes a table by itself after this many new rows (`autovacuum_analyze_threshold`), but only later. */
const MANY = 50
/** Numbers of portions after which the import analyzes the growing tables. */
const LEARN_AFTER = new Set([1, 10, 50])

/**
 * Writes a catalogue through the same functions as the API, one portion of products per transaction. Imports a
 * product completely or not at all. Skips products that already equal the file, so a file can be imported again.
 * Reads the file twice: a row may mean another product because of a row after it. Throws 422 with param `file`, before
 * any write, if the file is not a readable catalogue.
 */
export async function importCatalogue(
  deps: Deps,
  scope: Scope,
  open: () => AsyncIterable<Uint8Array>,
  { dryRun = false, onProgress = () => {}, reportStream }: ImportOptions = {},
): Promise<ImportSummary> {
  const summary: ImportSummary = { rows: 0, created: 0, updated: 0, unchanged: 0, refused: 0 }
  const report = reportTo(reportStream)
  const index = newIndex()
  for await (const portion of portionsOf(readRows(open())))
    for (const rows of portion) addToIndex(index, groupOf(rows))
  const work: ImportWork = { deps, scope, index, dryRun }
  let portions = 0
  for await (const portion of portionsOf(readRows(open()))) {
    const groups = portion.map((rows) => addRepeats(groupOf(rows), index))
    const outcome = await takePortion(work, groups)
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

/** Splits the rows into portions of products. Consecutive rows with the same key belong to one product. */
async function* portionsOf(rows: AsyncIterable<CsvRow>): AsyncGenerator<CsvRow[][]> {
  let portion: CsvRow[][] = []
  const keys = new Set<string>()
  let current = ''
  for await (const row of rows) {
    const key = keyOf(row.cells)
    if (key === current && portion.length > 0) {
      portion.at(-1)?.push(row)
      continue
    }
    // If a product appears again later, it starts a new portion: it can be matched only after its earlier rows are
    // stored.
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

type Kind = 'created' | 'updated' | 'unchanged' | 'refused'
type ImportOutcome = { kinds: Kind[]; faults: ReportLine[] }

const isHeld = (error: unknown) => isLockTimeout(error) || isRetryable(error)

/**
 * Writes a portion. If another transaction locks one of its rows for too long, writes each product separately. Then
 * only the locked product is rejected.
 */
async function takePortion(work: ImportWork, groups: ProductGroup[]): Promise<ImportOutcome> {
  const { deps, scope, dryRun } = work
  const attempt = async (part: ProductGroup[]) => {
    const outcome = await retrying(scope, () => runPortion(work, part))
    // Announced for each transaction: the next one begins with an empty list of changes.
    if (!dryRun) publishBoards(deps, scope)
    return outcome
  }
  const whole = await attempt(groups).catch((error: unknown) => {
    if (isHeld(error)) return null
    throw error
  })
  if (whole) return whole
  const outcomes: ImportOutcome[] = []
  for (const group of groups) {
    outcomes.push(
      await attempt([group]).catch((error: unknown): ImportOutcome => {
        if (isHeld(error)) return { kinds: ['refused'], faults: [lockedFault(group)] }
        throw error
      }),
    )
  }
  return {
    kinds: outcomes.flatMap(({ kinds }) => kinds),
    faults: outcomes.flatMap(({ faults }) => faults),
  }
}

const lockedFault = ({ rows }: ProductGroup): ReportLine => ({
  row: rows[0]?.row ?? 0,
  column: 'product',
  problem: 'Another user is changing this product; import the file again',
})

/** An error that rolls back the transaction of a dry run and carries its outcome. */
type Undo = Error & { undo: ImportOutcome }

async function runPortion(
  { deps, scope, index, dryRun }: ImportWork,
  groups: ProductGroup[],
): Promise<ImportOutcome> {
  const work = async (tx: Tx) => {
    const outcome = await writePortion(tx, scope, groups, index)
    if (!dryRun) await recordCatalogueChanges(tx, scope)
    if (dryRun) throw Object.assign(new Error('dry run'), { undo: outcome }) satisfies Undo
    return outcome
  }
  return inTx(deps.db, work).catch((thrown: unknown) => {
    if (thrown instanceof Error && 'undo' in thrown) return (thrown as Undo).undo
    throw thrown
  })
}

/** A group with the product that it matches, and the faults that prevent its import. */
type MatchedGroup = { group: ProductGroup; known: Product | null; faults: ReportLine[] }

async function writePortion(
  tx: Tx,
  scope: Scope,
  groups: ProductGroup[],
  index: FileIndex,
): Promise<ImportOutcome> {
  const meant = await matchGroups(tx, scope, groups, index)
  const categories = await readCategories(tx, scope, groups)
  if (await writeAllNew(tx, scope, meant, categories))
    return outcomeOf(meant.map(() => ({ kind: 'created', faults: [] })))
  const written: WriteResult[] = []
  const changed = new Set<string>()
  for (const { group, known, faults } of meant) {
    if (faults.length > 0) {
      written.push({ kind: 'refused', faults })
      continue
    }
    // Two groups may match one product. The second one is compared with the rows that the first one wrote.
    const [current = null] = known && changed.has(known.id) ? await findMany(tx, scope, [known.id]) : [known]
    written.push(await write(tx, scope, { group, known: current }, categories))
    if (known) changed.add(known.id)
  }
  return outcomeOf(written)
}

const outcomeOf = (written: readonly WriteResult[]): ImportOutcome => ({
  kinds: written.map(({ kind }) => kind),
  faults: written.flatMap(({ faults }) => faults),
})

async function matchGroups(
  tx: Tx,
  scope: Scope,
  groups: ProductGroup[],
  index: FileIndex,
): Promise<MatchedGroup[]> {
  const found = await store.findProducts(tx, scope, toProductLookup(groups))
  const targets = groups.map((group) => targetOf(group, found, index))
  // A patch lists all variants of its product. The lock keeps other transactions from adding or removing one until
  // the commit.
  const ids = await lockMany(tx, scope, [...new Set(targets.flatMap(({ productId }) => productId ?? []))])
  const products = new Map((await findMany(tx, scope, ids)).map((product) => [product.id, product]))
  return groups.map((group, at) => {
    const { productId = null, fault } = targets[at] ?? {}
    const known = productId === null ? null : (products.get(productId) ?? null)
    const faults = [...group.faults, ...(fault ? [fault] : []), ...(known ? onSaleFaults(known, group) : [])]
    return { group, known, faults: faults.map(toReportLine) }
  })
}

const checkNew = checker(ImportedProduct, 'body')
const checkPatch = checker(ImportedPatch, 'body')
const NOTHING: ReadonlySet<string> = new Set()

function newOf(group: ProductGroup, categoryId: string | null | undefined): ProductIn {
  const input = normalise(newProductOf(group, categoryId), NOTHING)
  checkNew(input)
  return input as ProductIn
}

const isRefusal = (error: unknown): error is ApiError =>
  !isRetryable(error) && error instanceof ApiError && error.status < 500

/**
 * Creates all products of a portion together, the usual case in a first import. If one of them exists already or is
 * rejected, writes nothing and returns false. The caller then imports each product separately.
 */
async function writeAllNew(
  tx: Tx,
  scope: Scope,
  meant: readonly MatchedGroup[],
  categories: Categories,
): Promise<boolean> {
  if (meant.some(({ known, faults }) => known !== null || faults.length > 0)) return false
  try {
    await inSavepoint(tx, async () => {
      const withNew: Categories = new Map(categories)
      const inputs: ProductIn[] = []
      for (const { group } of meant) inputs.push(newOf(group, await makeCategory(tx, scope, group, withNew)))
      await createProducts(tx, scope, inputs)
    })
    return true
  } catch (error) {
    if (isRefusal(error)) return false
    throw error
  }
}

type WriteResult = { kind: Kind; faults: ReportLine[] }

async function write(
  tx: Tx,
  scope: Scope,
  { group, known }: Omit<MatchedGroup, 'faults'>,
  categories: Categories,
): Promise<WriteResult> {
  const stored = storedCategory(group, categories)
  const makesCategory = Boolean(group.category) && stored === undefined
  const change = known && patchOf(known, group, stored)
  if (known && !change && !makesCategory) return { kind: 'unchanged', faults: [] }
  const withNew: Categories = new Map(categories)
  let rows: readonly (number | null)[] = group.variants.map(({ row }) => row)
  try {
    await inSavepoint(tx, async () => {
      const categoryId = await makeCategory(tx, scope, group, withNew)
      const change = known && patchOf(known, group, categoryId)
      if (known && change) {
        rows = change.rows
        const patch = normalise(change.patch, NOTHING)
        checkPatch(patch)
        await updateProduct(tx, scope, known.id, patch as ProductPatch)
      } else {
        await createProduct(tx, scope, newOf(group, categoryId))
      }
    })
  } catch (error) {
    if (!isRefusal(error)) throw error
    return { kind: 'refused', faults: [faultOf(error, group, rows)] }
  }
  for (const [name, id] of withNew) categories.set(name, id)
  return { kind: known ? 'updated' : 'created', faults: [] }
}

/** Ids of categories by lower-case name. */
type Categories = Map<string, string>

async function readCategories(tx: Tx, scope: Scope, groups: readonly ProductGroup[]): Promise<Categories> {
  const names = [...new Set(groups.flatMap(({ category }) => category ?? []))]
  const categories: Categories = new Map()
  if (names.length === 0) return categories
  for (const { id, name } of await store.findCategories(tx, scope, names)) {
    if (!categories.has(name.toLowerCase())) categories.set(name.toLowerCase(), id)
  }
  return categories
}

/** Returns undefined if the file gives no category or if the category does not exist yet. */
const storedCategory = ({ category }: ProductGroup, categories: Categories) =>
  category ? categories.get(category.toLowerCase()) : category

/**
 * Returns the category of a group and creates it if it is new. The savepoint also rolls back the category if the
 * product is rejected.
 */
async function makeCategory(tx: Tx, scope: Scope, group: ProductGroup, categories: Categories) {
  const stored = storedCategory(group, categories)
  if (!group.category || stored !== undefined) return stored
  const { id } = await createCategory(tx, scope, { name: group.category })
  categories.set(group.category.toLowerCase(), id)
  return id
}

const REPORT = ['row', 'column', 'product', 'sku', 'problem']

/**
 * Returns a function that writes faults to the report. It writes the header before the first fault and waits for a
 * slow reader.
 */
function reportTo(stream: Writable | undefined) {
  let begun = false
  return async (groups: readonly ProductGroup[], faults: readonly ReportLine[]) => {
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
