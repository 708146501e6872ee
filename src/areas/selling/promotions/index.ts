/** Discount codes and points that the marketing partner checks for a sale */

export { promotionJobs } from './jobs.ts'
export {
  keptDiscount,
  type PromotionRequest,
  payerAfterEdit,
  promotionRequestIn,
  type Redemption,
  warningsWithoutAnswer,
} from './rules.ts'
export { Warning } from './schema.ts'
export {
  askFor,
  dropOffer,
  endPromotion,
  letOfferGo,
  lowerPromotion,
  movePromotion,
  type Offer,
  type PromotionContext,
  promoDiscountOf,
  redemptionOf,
  redemptionOffered,
  screen,
  settleOffer,
  warningsOf,
} from './service.ts'
