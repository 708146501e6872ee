import { timingSafeEqual } from 'node:crypto'

/** Compares a presented secret with the real one in constant time. */
export function isSameText(shown: string, real: string): boolean {
  // Compares bytes: with letters outside ASCII, the text is longer than its `length`.
  const [left, right] = [Buffer.from(shown), Buffer.from(real)]
  return left.length === right.length && timingSafeEqual(left, right)
}
