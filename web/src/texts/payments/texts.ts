import { useDictionary } from '../dictionary.ts'
import { paymentsEn } from './en.ts'
import { paymentsId } from './id.ts'

const DICTIONARIES = { id: paymentsId, en: paymentsEn }

export const usePaymentsTexts = () => useDictionary<keyof typeof paymentsId>(DICTIONARIES)
export type PaymentsTranslate = ReturnType<typeof usePaymentsTexts>
