type Row = Readonly<Record<string, unknown>>

const isRow = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isRowList = (value: unknown): value is readonly Row[] => Array.isArray(value) && value.every(isRow)

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

export function changesBetween<V extends object>(before: V, after: V): Partial<V> {
  const changes: Partial<V> = {}
  for (const key of Object.keys(after) as (keyof V)[])
    if (!same(before[key], after[key])) changes[key] = after[key]
  return changes
}

/** Whether a stored value has the typed content. A new row has no id before it is stored. */
function isStoredAs(typed: unknown, stored: unknown): boolean {
  if (Array.isArray(typed) && Array.isArray(stored))
    return typed.length === stored.length && typed.every((each, at) => isStoredAs(each, stored[at]))
  if (!isRow(typed) || !isRow(stored)) return same(typed, stored)
  const keys = Object.keys(stored).filter((key) => key !== 'id' || typed['id'] !== undefined)
  return keys.every((key) => isStoredAs(typed[key], stored[key]))
}

function rowsWithStoredIds(typed: readonly Row[], stored: readonly Row[]): Row[] {
  const storedWith = (id: unknown) => stored.find((row) => row['id'] === id)
  const added = stored.filter(({ id }) => id !== undefined && !typed.some((row) => row['id'] === id))
  return typed.map((row) => {
    if (row['id'] !== undefined) return withStoredIds(row, storedWith(row['id']) ?? row)
    const at = added.findIndex((each) => isStoredAs(row, each))
    return added.splice(at, at === -1 ? 0 : 1)[0] ?? row
  })
}

/** Gives new rows the ids of stored rows with the same content. A save whose answer was lost has stored them. */
export function withStoredIds<V extends object>(typed: V, stored: V): V {
  const entries = Object.entries(typed).map(([key, value]) => {
    const present: unknown = (stored as Row)[key]
    return [key, isRowList(value) && isRowList(present) ? rowsWithStoredIds(value, present) : value]
  })
  return Object.fromEntries(entries)
}

/**
 * Whether each stored row is one that the member saw or typed, and no row is missing that the member kept. A save that
 * sends one request for each row may stop between them.
 */
function isPartlySaved(seen: unknown, typed: unknown, stored: unknown): boolean {
  if (!isRowList(seen) || !isRowList(typed) || !isRowList(stored)) return false
  const isKnown = (row: Row) =>
    [...seen, ...typed].some((each) => each['id'] !== undefined && same(each, row))
  const has = (rows: readonly Row[], { id }: Row) => rows.some((each) => each['id'] === id)
  return stored.every(isKnown) && seen.every((row) => has(stored, row) || !has(typed, row))
}

/** The fields that another person changed since the member saw the record, and that are not typed alike here. */
export function fieldsInConflict<V extends object>(seen: V, typed: V, stored: V): (keyof V & string)[] {
  const changed = Object.keys(changesBetween(seen, stored)) as (keyof V & string)[]
  return changed.filter(
    (key) => !same(typed[key], stored[key]) && !isPartlySaved(seen[key], typed[key], stored[key]),
  )
}
