import { useMemo } from 'react'
import { useDevice } from '../../app/device.ts'
import { creditEn } from './en.ts'
import { creditId } from './id.ts'

export type CreditKey = keyof typeof creditId

const DICTIONARIES: Readonly<Record<'id' | 'en', Readonly<Record<CreditKey, string>>>> = {
  id: creditId,
  en: creditEn,
}

export function useCreditTexts() {
  const language = useDevice((device) => device.language)
  return useMemo(
    () =>
      (key: CreditKey, values: Readonly<Record<string, string>> = {}) =>
        DICTIONARIES[language][key].replaceAll(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole),
    [language],
  )
}
