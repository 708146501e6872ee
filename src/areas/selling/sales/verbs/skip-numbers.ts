/** For `kasir restore`, after sales were lost. */
export { skipReceiptNumbers } from '../store/skip-numbers.ts'
