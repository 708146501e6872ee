import { useDictionary } from '../dictionary.ts'
import { counterEn } from './en.ts'
import { counterId } from './id.ts'

const DICTIONARIES = { id: counterId, en: counterEn }

export const useCounterTexts = () => useDictionary<keyof typeof counterId>(DICTIONARIES)
