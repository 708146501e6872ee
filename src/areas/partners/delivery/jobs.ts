import { ApiError } from '../../../core/errors.ts'
import { newId } from '../../../core/ids.ts'
import { addMs } from '../../../core/time.ts'
import { foundAccountId } from '../../../platform/auth/tokens.ts'
import type { Deps } from '../../../platform/deps.ts'
import { partnerOf } from '../../../platform/http/partner.ts'
import { scopeFor } from '../../../platform/scope.ts'
import { job } from '../../../platform/worker.ts'
import type { Means } from './port.ts'
import { check, resume } from './shipments.ts'
import * as store from './store.ts'

/** Shipments asked about in one run; more wait for the next. */
const PORTION = 50
/** A request that nobody is at is left to its caller for so long, who may be about to send it again. */
const LEFT_MS = 10_000
/** A partner that cannot be asked is asked again after so long. */
const AGAIN_MS = 60_000

type Row = { accountId: string; id: string }

function meansOf(deps: Deps, { accountId }: Row): Means {
  const actor = {
    kind: 'service',
    id: 'delivery',
    name: 'Delivery',
    role: 'OWNER',
    readOnly: false,
  } as const
  const requestId = newId('request')
  const scope = scopeFor(
    { accountId: foundAccountId(accountId), actor },
    { defaultTier: deps.config.defaultTier, requestId, address: null, now: deps.clock.now() },
  )
  const within = <T>(work: () => Promise<T>) => work()
  const { partner } = partnerOf(deps, { requestId, idem: null, timeoutMs: undefined, within })
  return { deps, scope, partner }
}

/** Does one row after the other. Where the partner is left alone for a while, the rest waits as well. */
async function each(
  deps: Deps,
  rows: readonly Row[],
  stop: AbortSignal | undefined,
  work: (means: Means, id: string) => Promise<unknown>,
  onFailure: (means: Means, id: string) => Promise<unknown>,
) {
  for (const row of rows) {
    if (stop?.aborted) return
    const means = meansOf(deps, row)
    try {
      await work(means, row.id)
    } catch (error) {
      deps.log.warn(
        { err: error, shipment: row.id },
        'the fulfilment partner could not be asked about a shipment',
      )
      await onFailure(means, row.id)
      if (error instanceof ApiError && error.code === 'SERVICE_UNAVAILABLE') return
    }
  }
}

const leftBefore = (deps: Deps) => addMs(deps.clock.now(), -LEFT_MS)

/** Ends what somebody began who did not come back, and hears of shipments that nobody reported (B-delivery-4, B-delivery-7). */
export async function mendShipments(deps: Deps, stop?: AbortSignal): Promise<void> {
  await each(deps, await store.listLeft(deps.db, leftBefore(deps), PORTION), stop, resume, async () => {})
  const later = ({ scope, partner }: Means, id: string) =>
    partner.inTx((tx) => store.update(tx, scope, id, { checkAt: addMs(deps.clock.now(), AGAIN_MS) }))
  await each(deps, await store.listDue(deps.db, deps.clock.now(), PORTION), stop, check, later)
}

export const deliveryJobs = [
  job({
    name: 'delivery.shipments',
    everyMs: 3_000,
    hasWork: async (deps) =>
      (await store.listLeft(deps.db, leftBefore(deps), 1)).length > 0 ||
      (await store.listDue(deps.db, deps.clock.now(), 1)).length > 0,
    run: mendShipments,
  }),
]
