import { useMemo } from 'react'
import { useDevice } from '../../app/device.ts'
import { businessEn } from '../business/en.ts'
import { businessId } from '../business/id.ts'
import { en as baseEn } from '../en.ts'
import { id as baseId } from '../id.ts'
import type { TextKey } from '../texts.ts'
import { en } from './en.ts'
import { enCounts } from './en-counts.ts'
import { enCredit } from './en-credit.ts'
import { enDevices } from './en-devices.ts'
import { enGoods } from './en-goods.ts'
import { enPrices } from './en-prices.ts'
import { enPromotions } from './en-promotions.ts'
import { id } from './id.ts'
import { idCounts } from './id-counts.ts'
import { idCredit } from './id-credit.ts'
import { idDevices } from './id-devices.ts'
import { idGoods } from './id-goods.ts'
import { idPrices } from './id-prices.ts'
import { idPromotions } from './id-promotions.ts'

export type OfficeKey =
  | keyof typeof id
  | keyof typeof businessId
  | keyof typeof idGoods
  | keyof typeof idCounts
  | keyof typeof idCredit
  | keyof typeof idDevices
  | keyof typeof idPrices
  | keyof typeof idPromotions
  | TextKey
export type OfficeTranslate = (key: OfficeKey, values?: Readonly<Record<string, string | number>>) => string

/** The texts of the back office beside those of the register. Only pages of the back office load them. */
const DICTIONARIES: Readonly<Record<'id' | 'en', Readonly<Record<OfficeKey, string>>>> = {
  id: {
    ...baseId,
    ...businessId,
    ...id,
    ...idGoods,
    ...idCounts,
    ...idCredit,
    ...idDevices,
    ...idPrices,
    ...idPromotions,
  },
  en: {
    ...baseEn,
    ...businessEn,
    ...en,
    ...enGoods,
    ...enCounts,
    ...enCredit,
    ...enDevices,
    ...enPrices,
    ...enPromotions,
  },
}

export function useOfficeTexts(): OfficeTranslate {
  const language = useDevice((device) => device.language)
  return useMemo(
    () =>
      (key, values = {}) =>
        DICTIONARIES[language][key].replaceAll(/\{(\w+)\}/g, (whole, name: string) =>
          String(values[name] ?? whole),
        ),
    [language],
  )
}
