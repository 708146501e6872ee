import { useDictionary } from '../dictionary.ts'
import { accountEn } from './en.ts'
import { accountId } from './id.ts'

const DICTIONARIES = { id: accountId, en: accountEn }

export type AccountKey = keyof typeof accountId
export const useAccountTexts = () => useDictionary<AccountKey>(DICTIONARIES)
export type AccountTranslate = ReturnType<typeof useAccountTexts>
