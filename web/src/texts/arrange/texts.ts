import { useDictionary } from '../dictionary.ts'
import { arrangeEn } from './en.ts'
import { arrangeId } from './id.ts'

const DICTIONARIES = { id: arrangeId, en: arrangeEn }

export const useArrangeTexts = () => useDictionary<keyof typeof arrangeId>(DICTIONARIES)
