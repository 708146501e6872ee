import { useMemo } from 'react'
import { type Language, useDevice } from '../app/device.ts'
import { lazyModule } from '../ui/lazy-module.ts'
import type { Dictionary, id } from './id.ts'

export type TextKey = keyof typeof id
export type Translate = (key: TextKey, values?: Readonly<Record<string, string | number>>) => string

/** Only the language of the device belongs to the first load. */
const LOADERS: Readonly<Record<Language, () => Promise<Dictionary>>> = {
  id: lazyModule(() => import('./id.ts').then((file) => file.id)),
  en: lazyModule(() => import('./en.ts').then((file) => file.en)),
}
const loaded = new Map<Language, Dictionary>()

/** Loads the texts of a language. Nothing is shown in it before. */
export async function loadTexts(language: Language) {
  loaded.set(language, await LOADERS[language]())
}

export function useTexts(): Translate {
  const language = useDevice((device) => device.language)
  return useMemo(() => {
    const texts = loaded.get(language)
    if (texts === undefined) throw new Error(`the texts of ${language} are loaded before they are shown`)
    return (key, values = {}) =>
      texts[key].replaceAll(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole))
  }, [language])
}
