import { useDictionary } from '../dictionary.ts'
import { creditEn } from './en.ts'
import { creditId } from './id.ts'

const DICTIONARIES = { id: creditId, en: creditEn }

export const useCreditTexts = () => useDictionary<keyof typeof creditId>(DICTIONARIES)
