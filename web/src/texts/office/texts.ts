import { use, useMemo } from 'react'
import { type Language, useDevice } from '../../app/device.ts'
import { lazyModule } from '../../ui/lazy-module.ts'
import type { OfficeDictionary } from './all-id.ts'

export type OfficeKey = keyof OfficeDictionary
export type OfficeTranslate = (key: OfficeKey, values?: Readonly<Record<string, string | number>>) => string

/** The texts of the back office beside those of the register. Only its pages load them, in the language of the device. */
const LOADERS: Readonly<Record<Language, () => Promise<OfficeDictionary>>> = {
  id: lazyModule(() => import('./all-id.ts').then((file) => file.allId)),
  en: lazyModule(() => import('./all-en.ts').then((file) => file.allEn)),
}
const loading = new Map<Language, Promise<OfficeDictionary>>()

/** The same promise while it loads, so that a page that waits for it is drawn once. */
function load(language: Language): Promise<OfficeDictionary> {
  const known = loading.get(language)
  if (known) return known
  const promise = LOADERS[language]()
  promise.catch(() => loading.delete(language))
  loading.set(language, promise)
  return promise
}

// Together with the first page, not after it; a page that needs them tries again.
load(useDevice.getState().language).catch(() => {})

/** Suspends its page until the texts are loaded. `use` is called on every render: React requires the same hooks on every render. */
export function useOfficeTexts(): OfficeTranslate {
  const language = useDevice((device) => device.language)
  const texts = use(load(language))
  return useMemo(
    () =>
      (key, values = {}) =>
        texts[key].replaceAll(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole)),
    [texts],
  )
}
