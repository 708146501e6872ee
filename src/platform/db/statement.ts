import { assert } from '../../core/assert.ts'

declare const kind: unique symbol
type DeclaredStatement = { readonly name: string; readonly text: string }
/** A text that is prepared under its name; `named` runs it. */
export type Statement = DeclaredStatement & { readonly [kind]: 'reads' }
/** A statement that writes; `namedWrite` runs it on a `WriteDb`. */
export type WriteStatement = DeclaredStatement & { readonly [kind]: 'writes' }

// Ignores the `update` of `for update`, which locks, and of `do update`, which belongs to an insert.
const WRITES = /\b(?:insert\s+into|delete\s+from|merge\s+into|(?<!\bfor\s+|\bkey\s+|\bdo\s+)update)\b/i

const names = new Set<string>()

/** A connection refuses a second text under a known name, so each name is declared once. */
function declared(name: string, text: string, writes: boolean): DeclaredStatement {
  assert(!names.has(name), `two statements have the name ${name}`)
  assert(
    WRITES.test(text) === writes,
    `${name} ${writes ? 'is declared as a write and only reads' : 'is declared as a read and writes'}`,
  )
  names.add(name)
  return { name, text }
}

/**
 * Declares a statement that reads, or locks, under a unique name. Throws at the start of the process if the text
 * writes.
 */
export const statement = (name: string, text: string) => declared(name, text, false) as Statement

/** Declares a statement that inserts, updates or deletes. */
export const writeStatement = (name: string, text: string) => declared(name, text, true) as WriteStatement
