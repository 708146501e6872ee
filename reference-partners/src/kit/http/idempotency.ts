import { createHash } from 'node:crypto'
import { ApiError, malformed } from 'kasir/partner-tools'
import type { Tx } from '../db.ts'

const VISIBLE_ASCII = /^[\x21-\x7e]{1,255}$/

/** The key of a request, null when it has none. */
export function keyIn(header: string | string[] | undefined): string | null {
  if (header === undefined) return null
  if (typeof header === 'string' && VISIBLE_ASCII.test(header)) return header
  throw malformed('Idempotency-Key', 'The Idempotency-Key must be 1 to 255 visible ASCII characters')
}

/** Objects in the order of their keys, so that the order of fields does not make another request. */
const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  )
}

export type KeyedRequest = {
  workspaceId: string
  key: string
  method: string
  path: string
  body: unknown
  now: string
}
export type StoredReply = { status: number; body: string; isReplay: boolean }

/**
 * Runs `work` once per idempotency key. A duplicate request waits on the key's row and gets the same answer. A rejected
 * request rolls its key back, so it may be sent again.
 */
export async function runOnce(
  tx: Tx,
  { workspaceId, key, method, path, body, now }: KeyedRequest,
  work: () => Promise<{ status: number; body: string }>,
): Promise<StoredReply> {
  const fingerprint = createHash('sha256')
    .update(JSON.stringify([method, path, sorted(body)]))
    .digest('base64url')
  const taken = await tx.rows(
    `insert into ${tx.schema}.idempotency_keys (workspace_id, key, fingerprint, created_at)
      values ($1, $2, $3, $4) on conflict do nothing returning key`,
    [workspaceId, key, fingerprint, now],
  )
  if (taken.length === 0) return replayed(tx, workspaceId, key, fingerprint)
  const reply = await work()
  await tx.rows(
    `update ${tx.schema}.idempotency_keys set status = $3, body = $4 where workspace_id = $1 and key = $2`,
    [workspaceId, key, reply.status, reply.body],
  )
  return { ...reply, isReplay: false }
}

async function replayed(tx: Tx, workspaceId: string, key: string, fingerprint: string): Promise<StoredReply> {
  const [found] = await tx.rows<{ fingerprint: string; status: number; body: string }>(
    `select fingerprint, status, body from ${tx.schema}.idempotency_keys where workspace_id = $1 and key = $2`,
    [workspaceId, key],
  )
  if (found?.fingerprint !== fingerprint) {
    throw new ApiError('IDEMPOTENCY_KEY_IN_USE', 'Another request has already used this Idempotency-Key')
  }
  return { status: found.status, body: found.body, isReplay: true }
}
