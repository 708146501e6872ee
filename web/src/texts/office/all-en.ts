import { approvalEn } from '../approval/en.ts'
import { businessEn } from '../business/en.ts'
import { en as base } from '../en.ts'
import type { OfficeDictionary } from './all-id.ts'
import { en } from './en.ts'
import { enCounts } from './en-counts.ts'
import { enCredit } from './en-credit.ts'
import { enDevices } from './en-devices.ts'
import { enGoods } from './en-goods.ts'
import { enPrices } from './en-prices.ts'
import { enPromotions } from './en-promotions.ts'
import { enReports } from './en-reports.ts'

/** Every text of the back office in English, those of the register included. */
export const allEn: OfficeDictionary = {
  ...base,
  ...approvalEn,
  ...businessEn,
  ...en,
  ...enCounts,
  ...enCredit,
  ...enDevices,
  ...enGoods,
  ...enPrices,
  ...enPromotions,
  ...enReports,
}
