import { timingSafeEqual } from 'node:crypto'

/** Whether a text that somebody shows is the real one, in a time that does not tell how much of it is right. */
export function isSameText(shown: string, real: string): boolean {
  // Of the bytes: letters outside ASCII make a text longer than its length says.
  const [left, right] = [Buffer.from(shown), Buffer.from(real)]
  return left.length === right.length && timingSafeEqual(left, right)
}
