import type { Db, Tx } from '../../kit/db.ts'
import type { License } from './schema.ts'

export type LicenseRow = Omit<License, 'status'>
const COLUMNS = 'id, key, product, expires_at, created_at'

export const insertLicense = (tx: Tx, workspaceId: string, row: LicenseRow) =>
  tx.rows(
    `insert into reference_fulfillment.licenses (workspace_id, ${COLUMNS}) values ($1, $2, $3, $4, $5, $6)`,
    [workspaceId, row.id, row.key, row.product, row.expiresAt, row.createdAt],
  )

export const findByKey = async (db: Db, workspaceId: string, key: string): Promise<LicenseRow | undefined> =>
  (
    await db.rows<LicenseRow>(
      `select ${COLUMNS} from reference_fulfillment.licenses where workspace_id = $1 and key = $2`,
      [workspaceId, key],
    )
  )[0]

type LicenseFilter = { isExpired: boolean | null; now: string; after: string | null; limit: number }
export const listLicenses = (db: Db, workspaceId: string, { isExpired, now, after, limit }: LicenseFilter) =>
  db.rows<LicenseRow>(
    `select ${COLUMNS} from reference_fulfillment.licenses
      where workspace_id = $1 and ($2::boolean is null or coalesce(expires_at <= $3, false) = $2)
        and ($4::text is null or id < $4)
      order by id desc limit $5`,
    [workspaceId, isExpired, now, after, limit],
  )
