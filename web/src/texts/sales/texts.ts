import { useDictionary } from '../dictionary.ts'
import { en as baseEn } from '../en.ts'
import { id as baseId } from '../id.ts'
import { salesEn } from './en.ts'
import { salesId } from './id.ts'

const DICTIONARIES = { id: { ...baseId, ...salesId }, en: { ...baseEn, ...salesEn } }

export type SalesKey = keyof typeof DICTIONARIES.id
/** The texts of the page of sales beside those of the register. */
export const useSalesTexts = () => useDictionary<SalesKey>(DICTIONARIES)
