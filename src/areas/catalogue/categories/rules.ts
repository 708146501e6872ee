import { invalid, notFound } from '../../../core/errors.ts'

/**
 * Returns the position of each category. The client sends the whole order (B-category-1). Throws 404 with `param` for
 * an unknown id (B-ids-2). Throws 422 for a missing or repeated id: the client used an outdated list.
 */
export function orderOf(ids: readonly string[], known: readonly string[]): Map<string, number> {
  const existing = new Set(known)
  const unknown = ids.findIndex((id) => !existing.has(id))
  if (unknown >= 0) throw notFound('category', `ids[${unknown}]`)
  const order = new Map(ids.map((id, index) => [id, index]))
  if (order.size !== ids.length) throw invalid('ids', 'An id is repeated; send every category exactly once')
  if (order.size !== known.length || !known.every((id) => order.has(id))) {
    throw invalid('ids', 'Send the id of every category exactly once')
  }
  return order
}
