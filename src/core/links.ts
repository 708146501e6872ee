/**
 * Parses a text as a URL relative to `base`; null if it is not one. `URL.canParse` is not used: in Node 20 it rejects
 * letters beyond ASCII once the function is compiled after many calls.
 */
export function addressIn(text: string, base?: string): URL | null {
  try {
    return new URL(text, base)
  } catch {
    return null
  }
}

/** The same for http and https URLs, which a page may link to. */
export function webAddressIn(text: string): URL | null {
  const address = addressIn(text)
  return address && ['http:', 'https:'].includes(address.protocol) ? address : null
}

/** A URL in the characters of RFC 3986; null if it is not http or https. */
export const linkOf = (text: string): string | null => webAddressIn(text)?.href ?? null

/** A URL with international letters in its ASCII form (RFC 3987, 3.1); any other text unchanged. */
export const asciiFrom = (text: string): string =>
  /^\p{ASCII}*$/u.test(text) ? text : (addressIn(text)?.href ?? text)

/** A placeholder in a URL template: `{sku}`. */
export const PLACEHOLDER = /\{(\w*)\}/g

/**
 * The origin that every URL of a template has; null if a placeholder can change the origin or the template is not a
 * URL.
 */
export function siteOf(template: string): string | null {
  const [one, other] = ['a', 'b'].map((filling) => template.replaceAll(PLACEHOLDER, filling))
  if (one === undefined || other === undefined || linkOf(one) === null || linkOf(other) === null) return null
  const { origin, username, password } = new URL(one)
  return origin === new URL(other).origin && username === '' && password === '' ? origin : null
}
