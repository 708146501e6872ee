import type { Sale } from 'kasir-client'
import { create } from 'zustand'
import { listenToTabs, tell, tellOtherTabs } from './channel.ts'
import { type Database, database } from './database.ts'
import { newTag } from './key.ts'
import { AlreadySold, bySoldAt, isUnsent, type OutboxRow } from './outbox-row.ts'
import { requestPersistence } from './persistence.ts'

/** Sales on this device that the service does not have yet. A row is on disk before its receipt shows. */

type Outbox = {
  /** The sales of the open workspace, the oldest first. */
  rows: readonly OutboxRow[]
  isSending: boolean
  /** The sale of the last row that arrived: its receipt then has a number. */
  lastSent: { ref: string; sale: Sale } | null
}
export const useOutbox = create<Outbox>(() => ({ rows: [], isSending: false, lastSent: null }))

let account: string | null = null

/** Shows the outbox of a workspace, and follows the other tabs until the returned function is called. */
export function openOutbox(accountId: string): () => void {
  account = accountId
  void readRows()
  return listenToTabs((message) => {
    if (message.kind === 'sent') useOutbox.setState({ lastSent: { ref: message.ref, sale: message.sale } })
    if (message.kind === 'changed') void readRows()
  })
}

export async function readRows(): Promise<readonly OutboxRow[]> {
  if (account === null) return []
  const accountId = account
  const rows = await database().then(
    (db) => db.getAllFromIndex('outbox', 'account', accountId),
    () => [],
  )
  const sorted = rows.sort(bySoldAt)
  if (account === accountId) useOutbox.setState({ rows: sorted })
  return sorted
}

/** How many sales are still to be sent. */
export const countUnsent = (rows: readonly OutboxRow[]): number => rows.filter(isUnsent).length

/** Returns once the bytes are on disk, not only in a buffer. */
const writing = (db: Database) => db.transaction(['outbox', 'notes'], 'readwrite', { durability: 'strict' })

/** Carts that were sold, so that a page restored after a crash does not show one of them again. */
const SOLD = 'soldCarts'
const MOST_SOLD = 100

/**
 * Writes a sale to disk under the next reference of this browser; `rowFor` makes the row. Throws if the browser has
 * no storage left or refuses it, or if another tab has sold the cart: then the sale is not made.
 */
export async function addRow(ownRef: string | null, rowFor: (ref: string) => OutboxRow): Promise<OutboxRow> {
  requestPersistence()
  const db = await database()
  const tx = writing(db)
  const notes = tx.objectStore('notes')
  const tag = ((await notes.get('tag')) as string | undefined) ?? newTag()
  const counter = Number((await notes.get('counter')) ?? 0) + 1
  const sold = ((await notes.get(SOLD)) ?? []) as string[]
  const row = rowFor(ownRef ?? `${tag}-${String(counter).padStart(4, '0')}`)
  if (sold.includes(row.key)) throw new AlreadySold()
  await Promise.all([
    notes.put(tag, 'tag'),
    notes.put(counter, 'counter'),
    notes.put([...sold, row.key].slice(-MOST_SOLD), SOLD),
    tx.objectStore('outbox').put(row),
    tx.done,
  ])
  tellOtherTabs({ kind: 'sold', key: row.key })
  tell({ kind: 'changed' })
  return row
}

export async function isSold(key: string): Promise<boolean> {
  const sold = await database().then((db) => db.get('notes', SOLD))
  return Array.isArray(sold) && sold.includes(key)
}

/** Changes a row that is still there; one that another tab has sent stays away. */
export async function changeRow(ref: string, change: Partial<OutboxRow>) {
  const tx = writing(await database())
  const row = await tx.objectStore('outbox').get(ref)
  if (row) await tx.objectStore('outbox').put({ ...row, ...change })
  await tx.done
  tell({ kind: 'changed' })
}

export async function removeRow(ref: string) {
  const tx = writing(await database())
  await tx.objectStore('outbox').delete(ref)
  await tx.done
  tell({ kind: 'changed' })
}

/** Takes in rows of another device. Returns how many were not here yet. */
export async function takeRows(rows: readonly OutboxRow[]): Promise<number> {
  requestPersistence()
  const tx = writing(await database())
  const store = tx.objectStore('outbox')
  let count = 0
  for (const row of rows) {
    if (await store.getKey(row.ref)) continue
    await store.put(row)
    count += 1
  }
  await tx.done
  tell({ kind: 'changed' })
  return count
}
