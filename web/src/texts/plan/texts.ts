import { useDictionary } from '../dictionary.ts'
import { planEn } from './en.ts'
import { planId } from './id.ts'

const DICTIONARIES = { id: planId, en: planEn }

export const usePlanTexts = () => useDictionary<keyof typeof planId>(DICTIONARIES)
export type PlanTranslate = ReturnType<typeof usePlanTexts>
