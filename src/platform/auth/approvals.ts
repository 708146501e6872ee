import type { FastifyRequest } from 'fastify'
import { APPROVALS, type ApprovalAction, isApprovalOn } from '../../core/approvals.ts'
import { ApiError } from '../../core/errors.ts'
import type { Tx } from '../db/open.ts'
import type { Deps } from '../deps.ts'
import type { AtTill, Scope } from '../scope.ts'
import { sha256 } from '../secrets/secrets.ts'
import * as statements from './statements-tills.ts'
import { tillOf } from './till.ts'

/** A token is 43 characters; a request that needs several approvals sends several, with commas between them. */
const MOST_TOKENS = 8
const TOKEN = /^[A-Za-z0-9_-]{43}$/

/** The till that a request came from, and the approvals in its header `Approval`. */
export function atTillOf(deps: Pick<Deps, 'config' | 'secrets'>, request: FastifyRequest): AtTill {
  const header = request.headers.approval
  const tokens = (Array.isArray(header) ? header.join(',') : (header ?? ''))
    .split(',', MOST_TOKENS)
    .map((token) => token.trim())
  return {
    till: tillOf(deps, request),
    approvalHashes: tokens.filter((token) => TOKEN.test(token)).map(sha256),
  }
}

/**
 * Whether the caller needs a manager's approval for this. Only cashiers need one. The gate has read the setting with
 * the session (B-approval-1). No query.
 */
export const needsApproval = ({ actor }: Pick<Scope, 'actor'>, action: ApprovalAction): boolean =>
  actor.approvals !== undefined && isApprovalOn(actor.approvals, action)

/**
 * Uses up an approval for what the caller does, in the transaction of the write: a request that is refused later spends
 * nothing. Returns the member who approved, or null if none was needed. `subjectId` is the first id in the path of the
 * request. 403 APPROVAL_REQUIRED with `action` in `details` if no token fits (B-approval-3).
 */
export async function spendApproval(
  tx: Tx,
  scope: Scope,
  action: ApprovalAction,
  subjectId: string | null = null,
): Promise<string | null> {
  if (!needsApproval(scope, action)) return null
  const { till, approvalHashes } = scope.atTill
  const { now } = scope
  const memberId =
    till && till.accountId === scope.accountId && approvalHashes.length > 0
      ? await statements.spend(tx, till, approvalHashes, { action, subjectId, now })
      : undefined
  if (memberId === undefined) throw approvalRequired(action)
  return memberId
}

const approvalRequired = (action: ApprovalAction) =>
  new ApiError(
    'APPROVAL_REQUIRED',
    `${APPROVALS[action].name} needs an approval. Ask a manager to approve it at this till`,
    { details: { action } },
  )
