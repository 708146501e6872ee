/** An address in the characters of RFC 3986; null for one that is not http or https. */
export function linkOf(text: string): string | null {
  if (!URL.canParse(text)) return null
  const { href, protocol } = new URL(text)
  return protocol === 'http:' || protocol === 'https:' ? href : null
}

/** What stands for something else in the template of an address: `{sku}`. */
export const PLACEHOLDER = /\{(\w*)\}/g

/** The site that all addresses of a template are on; null where its placeholders change the site, or where it is none. */
export function siteOf(template: string): string | null {
  const [one, other] = ['a', 'b'].map((filling) => template.replaceAll(PLACEHOLDER, filling))
  if (one === undefined || other === undefined || linkOf(one) === null || linkOf(other) === null) return null
  const { origin, username, password } = new URL(one)
  return origin === new URL(other).origin && username === '' && password === '' ? origin : null
}
