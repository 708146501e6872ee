import { useDictionary } from '../dictionary.ts'
import { operatorEn } from './en.ts'
import { operatorId } from './id.ts'

const DICTIONARIES = { id: operatorId, en: operatorEn }

export type OperatorKey = keyof typeof operatorId
export const isOperatorKey = (key: string): key is OperatorKey => Object.hasOwn(operatorId, key)
export const useOperatorTexts = () => useDictionary<OperatorKey>(DICTIONARIES)
