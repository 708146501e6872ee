import { useDictionary } from '../dictionary.ts'
import { entryEn } from './en.ts'
import { entryId } from './id.ts'

const DICTIONARIES = { id: entryId, en: entryEn }

export type EntryKey = keyof typeof entryId
export const useEntryTexts = () => useDictionary<EntryKey>(DICTIONARIES)
