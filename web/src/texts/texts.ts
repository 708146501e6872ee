import { useMemo } from 'react'
import { type Language, useDevice } from '../app/device.ts'
import { en } from './en.ts'
import { type Dictionary, id } from './id.ts'

export type TextKey = keyof typeof id
export type Translate = (key: TextKey, values?: Readonly<Record<string, string | number>>) => string

const DICTIONARIES: Readonly<Record<Language, Dictionary>> = { id, en }

/** Returns the text in a language, with `{name}` replaced by its value. */
export function translate(
  language: Language,
  key: TextKey,
  values: Readonly<Record<string, string | number>> = {},
): string {
  return DICTIONARIES[language][key].replaceAll(/\{(\w+)\}/g, (whole, name: string) =>
    String(values[name] ?? whole),
  )
}

export function useTexts(): Translate {
  const language = useDevice((device) => device.language)
  return useMemo(() => (key, values) => translate(language, key, values), [language])
}
