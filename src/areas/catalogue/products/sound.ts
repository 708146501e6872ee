/**
 * SQL that spells a text in lower case by its sound, so that one wrong letter of the same sound still finds it: c and
 * q are k, v and f are p, y is i, z is s; an h after a consonant or at the end is silent; ie and ee are i, oo and oe
 * are u; a double letter is one; gado2 is gado gado. Migration 0012 keeps the column `sound_text` by the same words.
 */
export function soundOf(text: string): string {
  const doubled = `regexp_replace(${text}, '([[:alpha:]]+)2\\M', '\\1 \\1', 'g')`
  const letters = `translate(replace(${doubled}, 'x', 'ks'), 'cqvfyz', 'kkppis')`
  const spoken = `regexp_replace(${letters}, '(?<=[bdgkprst])h|h\\M', '', 'g')`
  const vowels = `replace(replace(replace(replace(${spoken}, 'ie', 'i'), 'ee', 'i'), 'oo', 'u'), 'oe', 'u')`
  return `regexp_replace(${vowels}, '([[:alpha:]])\\1+', '\\1', 'g')`
}
