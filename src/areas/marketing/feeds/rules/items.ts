import { malformed } from '../../../../core/errors.ts'
import { labelOf } from '../../../../core/labels.ts'
import { linkOf, PLACEHOLDER, siteOf } from '../../../../core/links.ts'

/** A variant of the catalogue; `price` in rupiah. */
export type FeedGoods = {
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

/** The item of a feed, with cleaned texts. */
export type FeedItem = {
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

export type FeedFault = { itemId: string; field: string; message: string }

/** The smallest title limit of the merchant centres. */
const MAX_TITLE = 150
const MAX_DESCRIPTION = 5_000

// XML 1.0 and CSV cells cannot contain line breaks, control characters and noncharacters.
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\ufffe\uffff]+/g
const HAS_UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\ufffe\uffff]/

/** Returns the text on one line, cut to `most` characters. */
export function clean(text: string, most: number): string {
  const line = HAS_UNPRINTABLE.test(text) ? text.replaceAll(UNPRINTABLE, ' ').trim() : text
  return line.length <= most ? line : [...line].slice(0, most).join('').trimEnd()
}

const DIGITS = /^(?:\d{8}|\d{12,14})$/
/** Prefixes of numbers for internal use by shops and for coupons (GS1 General Specifications, 1.4). */
const OWN = /^0?(?:2|(?<=0)4)/

/**
 * Returns the barcode if it is a GTIN, else null. A GTIN has a correct check digit and names the same goods in every
 * shop.
 */
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
type FieldLocation = (typeof PLACES)[number]

/** Throws 400 for a page address with an unknown placeholder, or with a placeholder in the host name. */
export function requirePage(template: string) {
  for (const [whole, name = ''] of template.matchAll(PLACEHOLDER)) {
    if ((PLACES as readonly string[]).includes(name)) continue
    throw malformed(
      'productUrl',
      `${whole} is not a placeholder; use ${PLACES.map((one) => `{${one}}`).join(', ')}`,
    )
  }
  if (siteOf(template) === null) throw malformed('productUrl', 'productUrl must be an http or https address')
}

/** Replaces the placeholders of a page address. Returns null if the goods lack one of the fields. */
export function pageOf(template: string, { id, productId, sku }: FeedGoods): string | null {
  const parts: Record<FieldLocation, string | null> = { variantId: id, productId, sku }
  let isWhole = true
  const filled = template.replaceAll(PLACEHOLDER, (_, name: FieldLocation) => {
    const part = parts[name]
    if (part === null) isWhole = false
    return encodeURIComponent(part ?? '')
  })
  return isWhole ? linkOf(filled) : null
}

/** Builds the item of a variant; `productUrl` is the template of the page where customers buy it. */
export function itemOf(goods: FeedGoods, productUrl: string | null): FeedItem {
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

/** Lists the reasons why a merchant centre would reject the item. */
export function faultsOf(item: FeedItem, productUrl: string | null): FeedFault[] {
  const fault = (field: string, message: string) => ({ itemId: item.id, field, message })
  const noLink =
    productUrl === null
      ? 'Set productUrl, the page where an item is bought'
      : 'productUrl gives no address for this item. Check whether the item has the code that productUrl uses'
  return [
    ...(item.link === null ? [fault('link', noLink)] : []),
    ...(item.imageLink === null ? [fault('image_link', 'Give the product a picture (imageUrl)')] : []),
    ...(item.price === 0 ? [fault('price', 'The price is 0')] : []),
  ]
}
