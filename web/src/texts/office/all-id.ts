import { approvalId } from '../approval/id.ts'
import { businessId } from '../business/id.ts'
import { id as base } from '../id.ts'
import { id } from './id.ts'
import { idCounts } from './id-counts.ts'
import { idCredit } from './id-credit.ts'
import { idDevices } from './id-devices.ts'
import { idGoods } from './id-goods.ts'
import { idPrices } from './id-prices.ts'
import { idPromotions } from './id-promotions.ts'
import { idReports } from './id-reports.ts'

/** Every text of the back office in Indonesian, those of the register included. */
export const allId = {
  ...base,
  ...approvalId,
  ...businessId,
  ...id,
  ...idCounts,
  ...idCredit,
  ...idDevices,
  ...idGoods,
  ...idPrices,
  ...idPromotions,
  ...idReports,
}
export type OfficeDictionary = Readonly<Record<keyof typeof allId, string>>
