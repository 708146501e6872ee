import { placeAtPartner } from '../../workspace/modules/index.ts'
import { viaPartner } from './kasir.ts'
import { withOwnOrigin } from './origin.ts'
import type { Couriers, Means } from './port.ts'

/** The partner of the workspace. @throws {ApiError} 502 where this installation has none. */
export async function couriersOf(means: Means): Promise<Couriers> {
  const { client, key } = await placeAtPartner(means, 'fulfillment')
  const couriers = viaPartner(client, key, means.partner)
  return client.keepsOrigin ? couriers : withOwnOrigin(couriers, means)
}
