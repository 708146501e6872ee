const GAPS = /[\p{Cc}\p{Zl}\p{Zp}\p{Zs}]+/gu
/** Marks that change how the rest of a line reads (bidirectional controls), or that nobody sees. */
const UNSEEN = /[\p{Cf}\p{Co}\p{Cs}]/gu
const LINK = /\/\/|\\\\|\S@\S/u
/** What mail programs turn into a link by themselves: a dot or a colon with a letter right behind it. */
const JOINT = /([.。:])(?=[\p{L}\p{M}])/gu

/**
 * A name that somebody chose, as a mail may carry it: one line without links, so that a mail of ours cannot be made to
 * say "sign in at evil.example" (B-mail-3). A name of nothing else becomes `otherwise`.
 */
export function nameForMail(name: string, otherwise: string): string {
  // Compatibility forms first: a full-width dot or slash is one to the eye, and to many a mail program.
  const words = name.normalize('NFKC').replace(GAPS, ' ').replace(UNSEEN, '').split(' ')
  const kept = words
    .filter((word) => word !== '' && !LINK.test(word))
    .map((word) => word.replace(JOINT, '$1 '))
  return kept.join(' ') || otherwise
}
