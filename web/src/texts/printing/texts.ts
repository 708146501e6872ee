import { useDictionary } from '../dictionary.ts'
import { printingEn } from './en.ts'
import { printingId } from './id.ts'

const DICTIONARIES = { id: printingId, en: printingEn }

export const usePrintingTexts = () => useDictionary<keyof typeof printingId>(DICTIONARIES)
