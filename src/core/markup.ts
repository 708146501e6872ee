const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}
const SIGNS = /[&<>"']/

/** Escapes a text for HTML and XML, between tags and in quoted attributes. */
export const escaped = (text: string): string =>
  SIGNS.test(text) ? text.replaceAll(/[&<>"']/g, (sign) => ENTITIES[sign] ?? '') : text
