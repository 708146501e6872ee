import { invalid } from '../../../core/errors.ts'

/** The client sends the whole order; a missing, strange or repeated id means it looked at a stale list (contract 3.5, 26.17). */
export function orderOf(ids: readonly string[], known: readonly string[]): Map<string, number> {
  const order = new Map(ids.map((id, index) => [id, index]))
  if (order.size !== ids.length) throw invalid('ids', 'An id is repeated; send every category exactly once')
  if (order.size !== known.length || !known.every((id) => order.has(id))) {
    throw invalid('ids', 'Send the id of every category exactly once')
  }
  return order
}
