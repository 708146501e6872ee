const GAPS = /[\p{Cc}\p{Zl}\p{Zp}\p{Zs}]+/gu
/** Characters that change the direction of the rest of a line (bidirectional controls), and invisible ones. */
const UNSEEN = /[\p{Cf}\p{Co}\p{Cs}]/gu
const LINK = /\/\/|\\\\|\S@\S/u
/** Text that mail programs turn into a link: a dot or a colon directly followed by a letter. */
const JOINT = /([.。:])(?=[\p{L}\p{M}])/gu

/**
 * A name entered by a user, made safe for a mail: one line without links, so that our mails cannot be made to say
 * "sign in at evil.example" (B-mail-3). Returns `otherwise` if nothing is left.
 */
export function nameForMail(name: string, otherwise: string): string {
  // Normalizes compatibility forms first: a full-width dot or slash looks like the plain one, also to many mail
  // programs.
  const words = name.normalize('NFKC').replace(GAPS, ' ').replace(UNSEEN, '').split(' ')
  const kept = words
    .filter((word) => word !== '' && !LINK.test(word))
    .map((word) => word.replace(JOINT, '$1 '))
  return kept.join(' ') || otherwise
}
