import { newId } from '../../core/ids.ts'
import { foundAccountId } from '../auth/tokens.ts'
import type { Deps } from '../deps.ts'
import { type Scope, scopeFor } from '../scope.ts'
import { type Partner, partnerOf } from './partner.ts'

type ServiceCaller = {
  /** The workspace of a row that a job found. */
  accountId: string
  /** The actor named in audit events. */
  service: { id: string; name: string }
  /** Time limit of the partner; ten seconds by default. */
  timeoutMs?: number
}

/** Lets a job call a partner on behalf of a workspace: without a request, the service itself is the actor. */
export function serviceMeans(
  deps: Deps,
  { accountId, service, timeoutMs }: ServiceCaller,
): { deps: Deps; scope: Scope; partner: Partner } {
  const requestId = newId('request')
  const scope = scopeFor(
    {
      accountId: foundAccountId(accountId),
      actor: { kind: 'service', ...service, role: 'OWNER', readOnly: false },
    },
    { defaultTier: deps.config.defaultTier, requestId, address: null, now: deps.clock.now() },
  )
  const { partner } = partnerOf(deps, { requestId, idem: null, timeoutMs })
  return { deps, scope, partner }
}
