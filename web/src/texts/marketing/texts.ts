import { useDictionary } from '../dictionary.ts'
import { marketingEn } from './en.ts'
import { marketingId } from './id.ts'

const DICTIONARIES = { id: marketingId, en: marketingEn }

export const useMarketingTexts = () => useDictionary<keyof typeof marketingId>(DICTIONARIES)
export type MarketingTranslate = ReturnType<typeof useMarketingTexts>
