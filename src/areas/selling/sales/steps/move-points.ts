type PointsMove = { customerId: string; write(): Promise<unknown> }

/**
 * Writes balances of customers in order of their ids, as locks are taken: the points that a bill redeems may belong
 * to another customer than its own, once bills were merged. Moves the points of one customer, in the order given.
 */
export async function movePoints(moves: readonly (PointsMove | null)[]): Promise<void> {
  const written = moves.filter((move) => move !== null)
  for (const { write } of written.toSorted(byCustomer)) await write()
}

const byCustomer = (a: PointsMove, b: PointsMove) => {
  if (a.customerId === b.customerId) return 0
  return a.customerId < b.customerId ? -1 : 1
}
