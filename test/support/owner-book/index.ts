export {
  addGood,
  at,
  type Book,
  type Good,
  openBook,
  type Pack,
  WEEK,
} from './book.ts'
export { expectBooks } from './compare.ts'
export { closeDay, openDay, payIn, payOut } from './drawer.ts'
export { payBill, refund, sell, voidSale } from './selling.ts'
export { buy, count, throwAway } from './stock.ts'
