/** What a statement does to which tables, read from its text: as much SQL as the service writes, no more. */

const clean = (sql: string) =>
  sql
    .replaceAll(/--.*$/gm, ' ')
    .replaceAll(/'(?:[^']|'')*'/g, "''")
    .replaceAll('"', '')
    .replaceAll(/\s+/g, ' ')
    .toLowerCase()

export type Act = 'insert' | 'update' | 'delete' | 'merge'

/** Which tables are written, and how; what an insert does on a conflict is part of it. */
export function writes(sql: string): { act: Act; table: string }[] {
  const found = clean(sql).matchAll(
    /\b(insert into|delete from|merge into|(?<!for )(?<!no key )update)(?: only)? (\w+)/g,
  )
  return [...found]
    .map(([, words, table = '']) => ({ act: words?.split(' ')[0] as Act, table }))
    .filter(({ table }) => !['set', 'of', 'skip', 'nowait'].includes(table))
}

const NO_ALIAS = new Set(
  'where set join left right inner cross full on using group order limit for values as returning union lateral natural having offset window select do fetch'.split(
    ' ',
  ),
)

type Mention = { table: string; alias: string }

/** Tables that are read, changed or joined, each with the name it goes by. An insert names its account in its row. */
export function mentions(sql: string, known: ReadonlySet<string>): Mention[] {
  const text = clean(sql)
  const found = [
    ...text.matchAll(/\b(?:from|join|update|using)(?: only| lateral)? (\w+)(?: as)?(?: (\w+))?/g),
    ...text.matchAll(/\bfrom \w+(?: \w+)?, (\w+)(?: as)?(?: (\w+))?/g),
  ]
  return found
    .filter(([, table]) => known.has(table ?? ''))
    .filter((match) => !text.slice(0, match.index).endsWith('for '))
    .map(([, table = '', alias = '']) => ({
      table,
      alias: alias === '' || NO_ALIAS.has(alias) ? table : alias,
    }))
}

/** Mentions of tenant tables whose account is compared with nothing: rows of every workspace would answer. */
export function unguarded(sql: string, tenantTables: ReadonlySet<string>): Mention[] {
  const text = clean(sql)
  const all = mentions(sql, tenantTables)
  const bare = [...text.matchAll(/(?<![.\w])account_id = (?:\$\d+|\w+\.account_id|any\b)/g)].length
  const qualified = (alias: string) =>
    new RegExp(`\\b${alias}\\.account_id = |= ${alias}\\.account_id\\b|\\(${alias}\\.account_id,`).test(text)
  const left = all.filter(({ alias }) => !qualified(alias))
  // A bare `account_id = $1` belongs to one table of its own query; as many as there are guard as many.
  return left.slice(bare)
}

/** Columns that updates of the table set, in order. */
export function updatedColumns(sql: string, table: string): string[] {
  const updates = clean(sql).matchAll(
    new RegExp(`\\bupdate (?:only )?${table}(?: as)?(?: (?!set\\b)\\w+)? set (.*)`, 'g'),
  )
  return [...updates].flatMap(([, rest = '']) => columnsUntilEnd(rest))
}

/** Names before `=` at the outer level, up to the word that ends the list of assignments. */
function columnsUntilEnd(text: string): string[] {
  const columns: string[] = []
  let depth = 0
  let start = true
  for (const [token] of text.matchAll(/[(),]|[^\s(),]+/g)) {
    if (depth === 0 && (token === ')' || ['from', 'where', 'returning'].includes(token))) break
    if (depth === 0 && start && token !== ',') columns.push(token.replace(/^\w+\./, ''))
    start = depth === 0 && token === ','
    if (token === '(') depth += 1
    if (token === ')') depth -= 1
  }
  return columns
}
