// A spreadsheet executes a cell that begins like this. A leading apostrophe makes it text. Import removes one
// apostrophe again, so every text survives export and import, even one that began with an apostrophe.
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/u
const GUARDED = /^'+[=+\-@\t\r\n＝＋－＠]/u

/** A text as a cell that no spreadsheet executes; `unguarded` reverses it. */
export const guarded = (text: string) => (FORMULA.test(text) ? `'${text}` : text)
export const unguarded = (text: string) => (GUARDED.test(text) ? text.slice(1) : text)
