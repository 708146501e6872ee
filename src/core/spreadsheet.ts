// A spreadsheet runs a cell that begins like this. An apostrophe in front makes it text, and one is taken away again on
// the way in, so that every text survives the journey, also one that began with an apostrophe itself.
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/u
const GUARDED = /^'+[=+\-@\t\r\n＝＋－＠]/u

/** A text as a cell that no spreadsheet runs; `unguarded` reads it back. */
export const guarded = (text: string) => (FORMULA.test(text) ? `'${text}` : text)
export const unguarded = (text: string) => (GUARDED.test(text) ? text.slice(1) : text)
