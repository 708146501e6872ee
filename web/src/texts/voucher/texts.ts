import { useDictionary } from '../dictionary.ts'
import { voucherEn } from './en.ts'
import { voucherId } from './id.ts'

const DICTIONARIES = { id: voucherId, en: voucherEn }

export const useVoucherTexts = () => useDictionary<keyof typeof voucherId>(DICTIONARIES)
