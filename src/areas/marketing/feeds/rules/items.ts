import { malformed } from '../../../../core/errors.ts'
import { labelOf } from '../../../../core/labels.ts'
import { linkOf, PLACEHOLDER, siteOf } from '../../../../core/links.ts'

/** A variant as the catalogue has it. `price` in rupiah. */
export type Goods = {
  id: string
  productId: string
  productName: string
  variantName: string
  description: string | null
  imageUrl: string | null
  sku: string | null
  barcode: string | null
  price: number
  category: string | null
  isAvailable: boolean
}

/** What a feed says of it, in clean text. */
export type Item = {
  id: string
  groupId: string
  title: string
  description: string
  link: string | null
  imageLink: string | null
  isAvailable: boolean
  price: number
  gtin: string | null
  sku: string | null
  category: string | null
}

export type Fault = { itemId: string; field: string; message: string }

/** The shortest of what the merchant centres let a title be. */
const MAX_TITLE = 150
const MAX_DESCRIPTION = 5_000

// Neither XML 1.0 nor a line of CSV can hold them, and no shop means them: line ends, controls, and what is no character.
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\ufffe\uffff]+/g
const HAS_UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\ufffe\uffff]/

/** A text of one line, cut to `most` characters. */
export function clean(text: string, most: number): string {
  const line = HAS_UNPRINTABLE.test(text) ? text.replaceAll(UNPRINTABLE, ' ').trim() : text
  return line.length <= most ? line : [...line].slice(0, most).join('').trimEnd()
}

const DIGITS = /^(?:\d{8}|\d{12,14})$/
/** Numbers that shops give to their own goods, and coupons (GS1 General Specifications, 1.4). */
const OWN = /^0?(?:2|(?<=0)4)/

/** The barcode as a GTIN: one whose check digit is right and that names the same goods in every shop; else null. */
export function gtinOf(barcode: string | null): string | null {
  if (barcode === null || !DIGITS.test(barcode)) return null
  const padded = barcode.padStart(14, '0')
  if (barcode.length !== 8 && OWN.test(padded.slice(1))) return null
  if (barcode.length === 8 && barcode.startsWith('2')) return null
  let weighed = 0
  for (let i = 0; i < 13; i += 1) weighed += Number(padded[i]) * (i % 2 === 0 ? 3 : 1)
  return (10 - (weighed % 10)) % 10 === Number(padded[13]) ? barcode : null
}

const PLACES = ['variantId', 'productId', 'sku'] as const
type Place = (typeof PLACES)[number]

/** 400 for an address of pages that could be none: an unknown placeholder, or one in the name of the host. */
export function requirePage(template: string) {
  for (const [whole, name = ''] of template.matchAll(PLACEHOLDER)) {
    if ((PLACES as readonly string[]).includes(name)) continue
    throw malformed('productUrl', `${whole} means nothing; use ${PLACES.map((one) => `{${one}}`).join(', ')}`)
  }
  if (siteOf(template) === null) throw malformed('productUrl', 'productUrl must be an http or https address')
}

/** Fills the address of a page in; null where the goods lack what it names. */
export function pageOf(template: string, { id, productId, sku }: Goods): string | null {
  const parts: Record<Place, string | null> = { variantId: id, productId, sku }
  let isWhole = true
  const filled = template.replaceAll(PLACEHOLDER, (_, name: Place) => {
    const part = parts[name]
    if (part === null) isWhole = false
    return encodeURIComponent(part ?? '')
  })
  return isWhole ? linkOf(filled) : null
}

/** The item of a variant; `productUrl` is where it is bought, with its placeholders. */
export function itemOf(goods: Goods, productUrl: string | null): Item {
  const title = clean(labelOf(goods.productName, goods.variantName), MAX_TITLE)
  return {
    id: goods.id,
    groupId: goods.productId,
    title,
    description: clean(goods.description ?? '', MAX_DESCRIPTION) || title,
    link: productUrl === null ? null : pageOf(productUrl, goods),
    imageLink: goods.imageUrl === null ? null : linkOf(goods.imageUrl),
    isAvailable: goods.isAvailable,
    price: goods.price,
    gtin: gtinOf(goods.barcode),
    sku: goods.sku === null ? null : clean(goods.sku, 64),
    category: goods.category === null ? null : clean(goods.category, 750),
  }
}

/** What a merchant centre would refuse the item for. */
export function faultsOf(item: Item, productUrl: string | null): Fault[] {
  const fault = (field: string, message: string) => ({ itemId: item.id, field, message })
  const noLink =
    productUrl === null
      ? 'Set productUrl, the page where an item is bought'
      : 'productUrl does not make an address of this item: it may lack the code that the address names'
  return [
    ...(item.link === null ? [fault('link', noLink)] : []),
    ...(item.imageLink === null ? [fault('image_link', 'Give the product a picture (imageUrl)')] : []),
    ...(item.price === 0 ? [fault('price', 'The price is 0')] : []),
  ]
}
