export {
  addGood,
  at,
  type Book,
  type ExpectedPromotion,
  type Good,
  grossOf,
  type Line,
  openBook,
  type Pack,
  type Sold,
  WEEK,
} from './book.ts'
export { expectBooks } from './compare.ts'
export { canPayOut, closeDay, openDay, payDebt, payIn, payOut } from './drawer.ts'
export { freeUnits } from './free-units.ts'
export { payBill, refund, sell, voidSale } from './selling.ts'
export { buy, count, throwAway } from './stock.ts'
