import type { Outlet } from 'kasir-client'
import { useEffect, useMemo, useRef } from 'react'
import { useShop } from '../offline/shop.ts'
import { useMinutesSince } from '../ui/minutes.ts'
import type { PromotionShop } from './cart-promotions.ts'
import { useCart } from './cart-store.ts'
import { useRegister } from './register-store.ts'

const EPOCH = '1970-01-01T00:00:00.000Z'
const MINUTE_MS = 60_000

/**
 * What decides the promotions of the cart: those of now, or of the time of the sale that is corrected. Undefined while the
 * device has none of the outlet.
 */
export function usePromotions(outlet: Outlet | undefined): PromotionShop | undefined {
  const copy = useShop((shop) => shop.promotions)
  const products = useShop((shop) => shop.products)
  const refresh = useShop((shop) => shop.refresh)
  const isFresh = useShop((shop) => shop.state === 'fresh')
  const correction = useCart((cart) => cart.correction)
  const isPaying = useRegister((register) => register.panel === 'pay')
  const minute = useMinutesSince(EPOCH)
  // The total stays as it is while the customer pays it.
  const pricedAt = useRef(minute)
  if (!isPaying) pricedAt.current = minute
  const atMinute = pricedAt.current
  const isOther =
    isFresh && correction === null && copy !== null && outlet !== undefined && copy.outletId !== outlet.id
  useEffect(() => {
    if (isOther) void refresh()
  }, [isOther, refresh])
  const categories = useMemo(
    () => new Map(products.map(({ id, categoryId }) => [id, categoryId])),
    [products],
  )
  return useMemo(
    () =>
      outlet === undefined || (copy?.outletId !== outlet.id && correction === null)
        ? undefined
        : {
            promotions: copy?.outletId === outlet.id ? copy.promotions : [],
            outletId: outlet.id,
            timezone: outlet.timezone,
            now: correction?.soldAt ?? new Date(atMinute * MINUTE_MS).toISOString(),
            printed: correction?.promotions,
            categoryOf: (productId) => categories.get(productId) ?? null,
          },
    [copy, outlet, categories, atMinute, correction],
  )
}
