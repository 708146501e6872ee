import { findPartnerAccount } from '../../workspace/modules/index.ts'
import { createKasirCouriers } from './kasir.ts'
import { withOwnOrigin } from './origin.ts'
import type { CourierContext, Couriers } from './port.ts'

/** Returns the partner of the workspace. @throws {ApiError} 502 if this installation has none. */
export async function couriersOf(means: CourierContext): Promise<Couriers> {
  const { client, key } = await findPartnerAccount(means, 'fulfillment')
  const couriers = createKasirCouriers(client, key, means.partner)
  return client.keepsOrigin ? couriers : withOwnOrigin(couriers, means)
}
