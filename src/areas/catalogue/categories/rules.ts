import { invalid, notFound } from '../../../core/errors.ts'

/**
 * The client sends the whole order. 404 with `param` for an id that no category has (B-ids-2); 422 for a missing or
 * repeated one, which means that it looked at a stale list (B-category-1).
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
