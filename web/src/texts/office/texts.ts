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
const loads = new Map<Language, Promise<OfficeDictionary>>()

/** The same promise each time. Once it is fulfilled it says so, by which React reads its value without suspending. */
function load(language: Language): Promise<OfficeDictionary> {
  const known = loads.get(language)
  if (known) return known
  const promise: Promise<OfficeDictionary> = LOADERS[language]().then(
    (texts) => {
      void Object.assign(promise, { status: 'fulfilled', value: texts })
      return texts
    },
    (error: unknown) => {
      loads.delete(language)
      throw error
    },
  )
  loads.set(language, promise)
  return promise
}

// Together with the first page, not after it; a page that needs them tries again.
load(useDevice.getState().language).catch(() => {})

/** Suspends its page until the texts are loaded. */
export function useOfficeTexts(): OfficeTranslate {
  const language = useDevice((device) => device.language)
  // Always called: a page that suspended here and then skips `use` has other hooks than before, and React fails (#467).
  const texts = use(load(language))
  return useMemo(
    () =>
      (key, values = {}) =>
        texts[key].replaceAll(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole)),
    [texts],
  )
}
