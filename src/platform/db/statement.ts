import { assert } from '../../core/assert.ts'

declare const kind: unique symbol
type Named = { readonly name: string; readonly text: string }
/** A text that is prepared under its name; `named` runs it. */
export type Statement = Named & { readonly [kind]: 'reads' }
/** One that writes; `namedWrite` runs it, for whoever may write. */
export type WriteStatement = Named & { readonly [kind]: 'writes' }

// `for update` locks, and `do update` belongs to an insert.
const WRITES = /\b(?:insert\s+into|delete\s+from|merge\s+into|(?<!\bfor\s+|\bkey\s+|\bdo\s+)update)\b/i

const names = new Set<string>()

/** A connection that knows a name refuses another text under it, so a name is given once. */
function declared(name: string, text: string, writes: boolean): Named {
  assert(!names.has(name), `two statements are called ${name}`)
  assert(WRITES.test(text) === writes, `${name} ${writes ? 'writes nothing' : 'writes'}`)
  names.add(name)
  return { name, text }
}

/** Declares a text that reads, or locks; `name` is its own. A process does not start with one that writes. */
export const statement = (name: string, text: string) => declared(name, text, false) as Statement

/** Declares a text that inserts, updates or deletes. */
export const writeStatement = (name: string, text: string) => declared(name, text, true) as WriteStatement
