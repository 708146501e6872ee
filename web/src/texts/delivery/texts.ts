import { useDictionary } from '../dictionary.ts'
import { deliveryEn } from './en.ts'
import { deliveryId } from './id.ts'

const DICTIONARIES = { id: deliveryId, en: deliveryEn }

export const useDeliveryTexts = () => useDictionary<keyof typeof deliveryId>(DICTIONARIES)
export type DeliveryTranslate = ReturnType<typeof useDeliveryTexts>
