import { escaped } from '../../../../core/markup.ts'
import type { FeedItem } from './items.ts'

export const FORMATS = ['google', 'facebook', 'tiktok', 'json'] as const
export type Format = (typeof FORMATS)[number]

/** The fields that all items of a feed share. */
export type FeedShop = { name: string; url: string; productCategory: string | null }

/** Writes a feed in pieces: the beginning, any number of items, and the end. */
export type Writer = {
  contentType: string
  open(shop: FeedShop): string
  /** `isFirst` is true for the first item. */
  item(item: FeedItem, shop: FeedShop, isFirst: boolean): string
  close: string
}

const tag = (name: string, text: string | null) =>
  text === null || text === '' ? '' : `<g:${name}>${escaped(text)}</g:${name}>`

const priceOf = ({ price }: FeedItem) => `${price} IDR`

/** RSS 2.0 with the namespace of Google's merchant centre. */
const google: Writer = {
  contentType: 'application/xml; charset=utf-8',
  open: ({ name, url }) =>
    `<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0" xmlns:g="http://base.google.com/ns/1.0"><channel><title>${escaped(name)}</title><link>${escaped(url)}</link><description>${escaped(name)}</description>\n`,
  item: (item, shop) =>
    `<item>${[
      tag('id', item.id),
      tag('item_group_id', item.groupId),
      tag('title', item.title),
      tag('description', item.description),
      tag('link', item.link),
      tag('image_link', item.imageLink),
      tag('availability', item.isAvailable ? 'in_stock' : 'out_of_stock'),
      tag('price', priceOf(item)),
      tag('condition', 'new'),
      tag('gtin', item.gtin),
      tag('mpn', item.sku),
      item.gtin === null && item.sku === null ? '<g:identifier_exists>no</g:identifier_exists>' : '',
      tag('google_product_category', shop.productCategory),
      tag('product_type', item.category),
    ].join('')}</item>\n`,
  close: '</channel></rss>\n',
}

// A merchant centre shows texts unchanged, so the usual apostrophe before a formula would be visible. It drops a
// leading space, and after a space a spreadsheet runs no formula.
const FORMULA = /^[=+\-@＝＋－＠]/u
const NEEDS_QUOTES = /[",\s]/
const cell = (text: string | null): string => {
  const safe = FORMULA.test(text ?? '') ? ` ${text}` : (text ?? '')
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
const csvLine = (cells: readonly (string | null)[]) => `${cells.map(cell).join(',')}\r\n`

type FeedColumn = readonly [name: string, of: (item: FeedItem, shop: FeedShop) => string | null]
const COLUMNS: readonly FeedColumn[] = [
  ['title', ({ title }) => title],
  ['description', ({ description }) => description],
  ['availability', ({ isAvailable }) => (isAvailable ? 'in stock' : 'out of stock')],
  ['condition', () => 'new'],
  ['price', priceOf],
  ['link', ({ link }) => link],
  ['image_link', ({ imageLink }) => imageLink],
  // The name of the shop stands in for the brand.
  ['brand', (_, { name }) => name],
  ['item_group_id', ({ groupId }) => groupId],
  ['gtin', ({ gtin }) => gtin],
  ['mpn', ({ sku }) => sku],
  ['google_product_category', (_, { productCategory }) => productCategory],
  ['product_type', ({ category }) => category],
]

/** CSV with a header (RFC 4180). The merchant centres use different names for the id column. */
const csv = (idColumn: string): Writer => {
  const columns: readonly FeedColumn[] = [[idColumn, ({ id }) => id], ...COLUMNS]
  return {
    contentType: 'text/csv; charset=utf-8',
    open: () => csvLine(columns.map(([name]) => name)),
    item: (item, shop) => csvLine(columns.map(([, of]) => of(item, shop))),
    close: '',
  }
}

const json: Writer = {
  contentType: 'application/json; charset=utf-8',
  open: ({ name, url, productCategory }) =>
    `{"shop":${JSON.stringify({ name, url, productCategory })},"items":[`,
  item: (item, _, isFirst) => {
    const { isAvailable, price, ...rest } = item
    const availability = isAvailable ? 'in_stock' : 'out_of_stock'
    const fields = { ...rest, availability, price: { amount: price, currency: 'IDR' } }
    return `${isFirst ? '' : ','}\n${JSON.stringify(fields)}`
  },
  close: ']}\n',
}

export const WRITERS: Readonly<Record<Format, Writer>> = {
  google,
  facebook: csv('id'),
  tiktok: csv('sku_id'),
  json,
}
