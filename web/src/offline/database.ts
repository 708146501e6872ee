import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import type { HeldBill } from './held-bill.ts'
import type { OutboxRow } from './outbox-row.ts'
import type { ShopData } from './shop-data.ts'

type Schema = DBSchema & {
  /** What the register sells, by workspace: the copy that it paints before any request. */
  shops: { key: string; value: ShopData }
  /** Sales that the service does not have yet, by reference. */
  outbox: { key: string; value: OutboxRow; indexes: { account: string } }
  /** Bills that were held offline, by key. */
  held: { key: string; value: HeldBill; indexes: { account: string } }
  /** Single values of this browser (note.ts). */
  notes: { key: string; value: unknown }
}
export type Database = IDBPDatabase<Schema>

let opening: Promise<Database> | undefined

/** The database of this browser. It throws if a browser refuses storage, such as in some private windows. */
export const database = (): Promise<Database> =>
  (opening ??= openDB<Schema>('kasir', 2, {
    upgrade: (db, before) => {
      if (before < 1) db.createObjectStore('shops')
      db.createObjectStore('outbox', { keyPath: 'ref' }).createIndex('account', 'accountId')
      db.createObjectStore('held', { keyPath: 'key' }).createIndex('account', 'accountId')
      db.createObjectStore('notes')
    },
    // A newer page in another tab may need another form of the database.
    blocking: (_version, _blocked, event) => {
      ;(event.target as IDBDatabase).close()
      opening = undefined
    },
    terminated: () => {
      opening = undefined
    },
  }))
