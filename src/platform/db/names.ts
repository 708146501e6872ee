/** Names come from the code alone, so what is remembered of them is bounded. */
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
/** `taxRateBps` as the database calls it. */
export const snakeOf = remembered((name) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`))
/** `tax_rate_bps` as the code calls it. */
export const camelOf = remembered((name) =>
  name.replaceAll(/(?<=.)_+([^_])/g, (_, letter: string) => letter.toUpperCase()),
)
