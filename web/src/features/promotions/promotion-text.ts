import type { Promotion } from 'kasir-client'
import { formatPercent } from '../../office/percent.ts'
import type { GoodsNames } from '../../office/use-goods-names.ts'
import type { OfficeTranslate } from '../../texts/office/texts.ts'
import { formatRupiah } from '../../ui/rupiah.ts'

/** The discount of a promotion, in a few words. */
export function promotionText(t: OfficeTranslate, promotion: Promotion, names: GoodsNames): string {
  const { kind, percentBps, amount, buyQuantity, getQuantity, bundle, bundlePrice } = promotion
  if (kind === 'PERCENT') return `−${formatPercent(percentBps ?? 0)}%`
  if (kind === 'AMOUNT') return `−${formatRupiah(amount ?? 0)}`
  if (kind === 'BUY_X_GET_Y') return t('promotion.buyGet', { buy: buyQuantity ?? 0, get: getQuantity ?? 0 })
  const parts = (bundle ?? []).map(({ variantId, categoryId, quantity }) => {
    const name = variantId === null ? names.category(categoryId ?? '') : names.variant(variantId)
    return `${quantity} ${name}`
  })
  return t('promotion.together', { goods: parts.join(' + '), price: formatRupiah(bundlePrice ?? 0) })
}
