export { promotionJobs } from './jobs.ts'
export {
  keptDiscount,
  type Named,
  namedIn,
  warningsWithoutAnswer,
} from './rules.ts'
export { Warning } from './schema.ts'
export {
  askFor,
  dropOffer,
  endPromotion,
  letOfferGo,
  type Means,
  movePromotion,
  type Offer,
  promoDiscountOf,
  screen,
  settleOffer,
  warningsOf,
} from './service.ts'
