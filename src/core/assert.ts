/** States what can never be false; a failure is a bug and answers 500 with nothing written. */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`Assertion failed: ${message}`)
}
