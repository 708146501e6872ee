import type { Outlet } from 'kasir-client'
import { findOutlet, useOutlet, useShop } from '../offline/shop.ts'
import { useOfficeTexts } from '../texts/office/texts.ts'
import type { Option } from './form/field-spec.ts'

/** The outlet whose figures a page shows first. */
export function useFirstShownOutlet(): Outlet | undefined {
  const own = useOutlet()
  const first = useShop((shop) => shop.outlets[0])
  return own?.isActive ? own : first
}

/** The active outlets, as choices of a form that creates a record. */
export const useOutletOptions = (): readonly Option[] =>
  useShop((shop) => shop.outlets).map(({ id, name }) => ({ value: id, text: name }))

/** Every outlet, inactive ones last: they keep their records and their stock. */
export function useAllOutletOptions(): readonly Option[] {
  const t = useOfficeTexts()
  const active = useOutletOptions()
  const inactive = useShop((shop) => shop.inactiveOutlets) ?? []
  return [
    ...active,
    ...inactive.map(({ id, name }) => ({ value: id, text: `${name} · ${t('state.inactive')}` })),
  ]
}

export const useOutletName = (): ((id: string) => string) => {
  const shop = useShop()
  return (id) => findOutlet(shop, id)?.name ?? '–'
}

/** The name of a variant in the catalogue of this device; its id if it is not on sale any more. */
export const useVariantName = (): ((id: string) => string) => {
  const products = useShop((shop) => shop.products)
  return (id) => {
    const product = products.find(({ variants }) => variants.some((variant) => variant.id === id))
    const variant = product?.variants.find((each) => each.id === id)
    if (product === undefined || variant === undefined) return id
    return nameOf(product.name, variant.name)
  }
}

/** A product with one variant needs no second name. */
export const nameOf = (product: string, variant: string): string =>
  variant === 'Default' ? product : `${product} · ${variant}`
