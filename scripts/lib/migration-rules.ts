import { statementsOf } from '../../src/platform/db/migrate.ts'
import { snakeOf } from '../../src/platform/db/names.ts'
import { PLACED_APART } from '../../src/platform/db/tables.ts'

/** Migrations from this one on may run on a sharded database (docs/scaling.md). */
const FIRST = '0060'
const APART = new Set(Object.keys(PLACED_APART).map(snakeOf))

const CONSTRAINT = /\b(?:check|references|unique|primary key)\b/
const FIRST_COLUMN = /^\s*\(\s*(\w+)/

/** The parts of a list that commas separate, those inside brackets left alone. */
function partsOf(list: string): string[] {
  const parts: string[] = []
  let depth = 0
  let start = 0
  for (const [at, letter] of [...list].entries()) {
    if (letter === '(') depth += 1
    if (letter === ')') depth -= 1
    if (letter !== ',' || depth > 0) continue
    parts.push(list.slice(start, at))
    start = at + 1
  }
  return [...parts, list.slice(start)].map((part) => part.trim())
}

const beginsElsewhere = (columns: string) => FIRST_COLUMN.exec(columns)?.[1] !== 'account_id'

/** What the sharded engine refuses of a statement, in words a person can act on. */
function faultsOf(statement: string): string[] {
  const text = statement
    .replaceAll(/'(?:[^']|'')*'/g, "''")
    .replaceAll(/\s+/g, ' ')
    .toLowerCase()
  const faults: string[] = []
  if (
    /\b(?:create|alter) sequence\b|\b(?:small|big)?serial\b|\bgenerated (?:always|by default) as identity\b|\bnextval\b/.test(
      text,
    )
  )
    faults.push('makes a sequence; ids come from the service, running numbers from counters')
  if (/^create (?:or replace )?(?:constraint )?trigger\b|^create (?:or replace )?rule\b/.test(text))
    faults.push('makes a trigger; the service does what has to follow')
  const table = /^(?:create table(?: if not exists)?|alter table(?: if exists)?(?: only)?) ([\w.]+)/.exec(
    text,
  )?.[1]
  const index =
    /^create unique index(?: concurrently)?(?: if not exists)? \w+ on (?:only )?([\w.]+)(?: using \w+)?(.*)$/.exec(
      text,
    )
  if (index && !APART.has(index[1] ?? '') && beginsElsewhere(index[2] ?? ''))
    faults.push('makes a unique index that does not begin with account_id')
  if (text.startsWith('alter table')) {
    const actions = partsOf(text.replace(/^alter table(?: if exists)?(?: only)? [\w.]+ /, ''))
    if (
      actions.some(
        (action) =>
          /^add (?:column )?(?!constraint\b|check\b|foreign\b|unique\b|primary\b)/.test(action) &&
          CONSTRAINT.test(action),
      )
    )
      faults.push('adds a column and its constraint in one command; the constraint is a statement of its own')
    if (
      actions.length > 1 &&
      actions.some((action) => /^add (?:constraint|check|foreign|unique|primary)\b/.test(action))
    )
      faults.push('adds a constraint beside something else in one command; it is a statement of its own')
  }
  if (table !== undefined && !APART.has(table)) faults.push(...uniquesOf(text))
  return faults
}

/** Unique keys of a table that is made or changed and do not begin with the workspace. */
function uniquesOf(text: string): string[] {
  const keys = [...text.matchAll(/\b(?:unique(?: nulls (?:not )?distinct)?|primary key)( ?\([^)]*\))?/g)]
  const wrong = keys.filter(([, columns]) =>
    columns === undefined
      ? !/\baccount_id \w+(?: not null)? primary key\b/.test(text)
      : beginsElsewhere(columns),
  )
  return wrong.length === 0 ? [] : ['makes a unique key that does not begin with account_id']
}

/** New migrations hold nothing that only one of the two engines runs; `name` begins with the number. */
export const migrationsSuitBothEngines = (files: readonly { name: string; sql: string }[]): string[] =>
  files
    .filter(({ name }) => name >= FIRST)
    .flatMap(({ name, sql }) =>
      statementsOf(sql).flatMap((statement) =>
        faultsOf(statement).map(
          (fault) => `migrations/${name}: "${statement.slice(0, 60).replaceAll(/\s+/g, ' ')}" ${fault}`,
        ),
      ),
    )
