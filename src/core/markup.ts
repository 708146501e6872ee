const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}
const SIGNS = /[&<>"']/

/** A text as HTML and XML show it, between tags and in quoted attributes. */
export const escaped = (text: string): string =>
  SIGNS.test(text) ? text.replaceAll(/[&<>"']/g, (sign) => ENTITIES[sign] ?? '') : text
