import type { Db, Tx } from '../../kit/db.ts'
import type { Customer } from './schema.ts'

const COLUMNS = 'id, name, email, phone, created_at, updated_at'

export const insertCustomer = (tx: Tx, workspaceId: string, row: Customer) =>
  tx.rows(
    `insert into reference_payment.customers (workspace_id, ${COLUMNS}) values ($1, $2, $3, $4, $5, $6, $7)`,
    [workspaceId, row.id, row.name, row.email, row.phone, row.createdAt, row.updatedAt],
  )

export const updateCustomer = (tx: Tx, workspaceId: string, row: Customer) =>
  tx.rows(
    `update reference_payment.customers set name = $3, email = $4, phone = $5, updated_at = $6
      where workspace_id = $1 and id = $2`,
    [workspaceId, row.id, row.name, row.email, row.phone, row.updatedAt],
  )

export const findCustomer = async (db: Db, workspaceId: string, id: string): Promise<Customer | undefined> =>
  (
    await db.rows<Customer>(
      `select ${COLUMNS} from reference_payment.customers where workspace_id = $1 and id = $2`,
      [workspaceId, id],
    )
  )[0]

export const lockCustomer = async (tx: Tx, workspaceId: string, id: string): Promise<Customer | undefined> =>
  (
    await tx.rows<Customer>(
      `select ${COLUMNS} from reference_payment.customers where workspace_id = $1 and id = $2 for no key update`,
      [workspaceId, id],
    )
  )[0]

export const listCustomers = (db: Db, workspaceId: string, after: string | null, limit: number) =>
  db.rows<Customer>(
    `select ${COLUMNS} from reference_payment.customers where workspace_id = $1 and ($2::text is null or id < $2)
      order by id desc limit $3`,
    [workspaceId, after, limit],
  )
