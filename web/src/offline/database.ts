import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import type { ShopData } from './shop-data.ts'

type Schema = DBSchema & {
  /** What the register sells, by workspace: the copy that it paints before any request. */
  shops: { key: string; value: ShopData }
}

let opening: Promise<IDBPDatabase<Schema>> | undefined

/** The database of this browser. It throws where a browser refuses storage, such as in some private windows. */
export const database = (): Promise<IDBPDatabase<Schema>> =>
  (opening ??= openDB<Schema>('kasir', 1, { upgrade: (db) => void db.createObjectStore('shops') }))
