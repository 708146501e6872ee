import { useMemo } from 'react'
import { type Language, useDevice } from '../app/device.ts'

type Texts<Key extends string> = Readonly<Record<Key, string>>

/** The texts of a part of the app that brings a dictionary of its own, so that the first load is without them. */
export function useDictionary<Key extends string>(dictionaries: Readonly<Record<Language, Texts<Key>>>) {
  const texts = dictionaries[useDevice((device) => device.language)]
  return useMemo(
    () =>
      (key: Key, values: Readonly<Record<string, string | number>> = {}): string =>
        texts[key].replaceAll(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole)),
    [texts],
  )
}
