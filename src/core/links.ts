/**
 * What a text says as an address, read from `base` on; null for what is none. `URL.canParse` would say the same, but that of
 * Node 20 refuses letters beyond ASCII once it has been called often enough to be compiled.
 */
export function addressIn(text: string, base?: string): URL | null {
  try {
    return new URL(text, base)
  } catch {
    return null
  }
}

/** The same for addresses of the web, which a page may link to. */
export function webAddressIn(text: string): URL | null {
  const address = addressIn(text)
  return address && ['http:', 'https:'].includes(address.protocol) ? address : null
}

/** An address in the characters of RFC 3986; null for one that is not http or https. */
export const linkOf = (text: string): string | null => webAddressIn(text)?.href ?? null

/** What stands for something else in the template of an address: `{sku}`. */
export const PLACEHOLDER = /\{(\w*)\}/g

/** The site that all addresses of a template are on; null where its placeholders change the site, or where it is none. */
export function siteOf(template: string): string | null {
  const [one, other] = ['a', 'b'].map((filling) => template.replaceAll(PLACEHOLDER, filling))
  if (one === undefined || other === undefined || linkOf(one) === null || linkOf(other) === null) return null
  const { origin, username, password } = new URL(one)
  return origin === new URL(other).origin && username === '' && password === '' ? origin : null
}
