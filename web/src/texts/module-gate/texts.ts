import { useDictionary } from '../dictionary.ts'
import { gateEn } from './en.ts'
import { gateId } from './id.ts'

const DICTIONARIES = { id: gateId, en: gateEn }

export type GateTranslate = ReturnType<typeof useGateTexts>

export const useGateTexts = () => useDictionary<keyof typeof gateId>(DICTIONARIES)
