import type { Db, Tx } from '../../kit/db.ts'
import type { ImageType } from './schema.ts'

type AvatarRow = { key: string; contentType: ImageType; bytes: number; updatedAt: string }

export const upsertAvatar = (
  tx: Tx,
  workspaceId: string,
  { key, contentType, image, now }: { key: string; contentType: ImageType; image: Buffer; now: string },
) =>
  tx.rows(
    `insert into reference_marketing.avatars (workspace_id, key, content_type, image, updated_at) values ($1, $2, $3, $4, $5)
      on conflict (workspace_id, key) do update
        set content_type = excluded.content_type, image = excluded.image, updated_at = excluded.updated_at`,
    [workspaceId, key, contentType, image, now],
  )

export const find = async (db: Db, workspaceId: string, key: string): Promise<AvatarRow | undefined> =>
  (
    await db.rows<AvatarRow>(
      `select key, content_type, octet_length(image) as bytes, updated_at from reference_marketing.avatars
        where workspace_id = $1 and key = $2`,
      [workspaceId, key],
    )
  )[0]

export const read = async (db: Db, workspaceId: string, key: string) =>
  (
    await db.rows<{ contentType: ImageType; image: Buffer }>(
      'select content_type, image from reference_marketing.avatars where workspace_id = $1 and key = $2',
      [workspaceId, key],
    )
  )[0]
