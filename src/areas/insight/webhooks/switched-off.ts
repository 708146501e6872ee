import { newId } from '../../../core/ids.ts'
import { foundAccountId } from '../../../platform/auth/tokens.ts'
import { inTx } from '../../../platform/db/open.ts'
import type { Deps } from '../../../platform/deps.ts'
import { emit } from '../../../platform/events/outbox.ts'
import { type Actor, scopeFor } from '../../../platform/scope.ts'
import type { SwitchedOff } from '../../../platform/webhooks/recorder.ts'
import * as store from '../../../platform/webhooks/store.ts'
import { notifyEndpointOff } from '../../workspace/notices/index.ts'
import { endpointChanged } from './events.ts'
import { getSubscription } from './service.ts'

const SERVICE: Actor = { kind: 'service', id: 'webhooks', name: 'Webhooks', role: 'OWNER', readOnly: false }

/** Notifies the owners of an endpoint that the service has switched off, and writes it to the audit log. */
export async function announceSwitchedOff(
  { db, clock, config, ...deps }: Deps,
  { accountId, id }: SwitchedOff,
) {
  const scope = scopeFor(
    { accountId: foundAccountId(accountId), actor: SERVICE },
    { defaultTier: config.defaultTier, requestId: newId('request'), address: null, now: clock.now() },
  )
  await inTx(db, async (tx) => {
    // A member may have switched it on or removed it meanwhile.
    if ((await store.lock(tx, scope, id))?.status !== 'disabled') return
    const subscription = await getSubscription(tx, scope, id)
    await notifyEndpointOff({ ...deps, clock, config }, tx, scope, subscription)
    await emit(tx, scope, endpointChanged, id, { subscription })
  })
}
