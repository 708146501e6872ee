import { newId } from '../../core/ids.ts'
import { foundAccountId } from '../auth/tokens.ts'
import type { Deps } from '../deps.ts'
import { type Scope, scopeFor } from '../scope.ts'
import { type Partner, partnerOf } from './partner.ts'

type Asking = {
  /** Of a row that a job found. */
  accountId: string
  /** Who audit events name. */
  service: { id: string; name: string }
  /** What the partner may take; ten seconds when left out. */
  timeoutMs?: number
}

/** What a job needs to ask a partner on behalf of a workspace: there is no request, so the service itself is the actor. */
export function serviceMeans(
  deps: Deps,
  { accountId, service, timeoutMs }: Asking,
): { deps: Deps; scope: Scope; partner: Partner } {
  const requestId = newId('request')
  const scope = scopeFor(
    {
      accountId: foundAccountId(accountId),
      actor: { kind: 'service', ...service, role: 'OWNER', readOnly: false },
    },
    { defaultTier: deps.config.defaultTier, requestId, address: null, now: deps.clock.now() },
  )
  const { partner } = partnerOf(deps, { requestId, idem: null, timeoutMs, within: (work) => work() })
  return { deps, scope, partner }
}
