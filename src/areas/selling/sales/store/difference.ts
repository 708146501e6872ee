/** What was added, changed and removed between two lists of rows. Rows are compared by identity: a changed row is a new object. */
export function differenceOf<T extends { id: string }>(before: readonly T[], after: readonly T[]) {
  if (before.length === 0) return { added: after, changed: [], removed: [] }
  const known = new Map(before.map((row) => [row.id, row]))
  const kept = new Set(after.map((row) => row.id))
  return {
    added: after.filter((row) => !known.has(row.id)),
    changed: after.filter((row) => known.has(row.id) && known.get(row.id) !== row),
    removed: before.filter((row) => !kept.has(row.id)).map((row) => row.id),
  }
}
