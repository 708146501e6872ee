/** Caches results without a limit: names come only from the code, so there are few. */
function remembered(make: (name: string) => string): (name: string) => string {
  const made = new Map<string, string>()
  return (name) => {
    let value = made.get(name)
    if (value === undefined) {
      value = make(name)
      made.set(name, value)
    }
    return value
  }
}
/** Converts `taxRateBps` to the database's `tax_rate_bps`. */
export const snakeOf = remembered((name) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`))
/** Converts `tax_rate_bps` to the code's `taxRateBps`. */
export const camelOf = remembered((name) =>
  name.replaceAll(/(?<=.)_+([^_])/g, (_, letter: string) => letter.toUpperCase()),
)
