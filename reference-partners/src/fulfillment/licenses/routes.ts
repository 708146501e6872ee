import { randomBytes } from 'node:crypto'
import { invalid, malformed, pageByKey, parseInstant } from 'kasir/partner-tools'
import { route } from '../../kit/http/route.ts'
import { afterOf, cursorOf } from '../../kit/lists.ts'
import { newId } from '../ids.ts'
import { License, LicenseCreate, LicenseQuery, LicenseValidate, Validated } from './schema.ts'
import { findByKey, insertLicense, type LicenseRow, listLicenses } from './store.ts'

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const KEY_LETTERS = 25
const GROUPS = /.{5}(?=.)/g
const grouped = (letters: string) => letters.replaceAll(GROUPS, '$&-')

/** 125 random bits as 25 letters in groups of five. */
const generateKey = (): string =>
  grouped(Array.from(randomBytes(KEY_LETTERS), (byte) => CROCKFORD.charAt(byte & 31)).join(''))

/** The stored form of a typed key. */
const keyOf = (typed: string): string => grouped(typed.replaceAll(/[^A-Za-z0-9]/g, '').toUpperCase())

const viewAt = (row: LicenseRow, now: string): License => ({
  ...row,
  status: row.expiresAt !== null && row.expiresAt <= now ? 'expired' : 'active',
})

function expiryOf(text: string | null, now: string): string | null {
  if (text === null) return null
  const instant = parseInstant(text)
  if (instant === null) throw malformed('expiresAt', 'expiresAt must be RFC 3339 with an offset')
  if (instant <= now) throw invalid('expiresAt', 'expiresAt is over already')
  return instant
}

export const licenseRoutes = [
  route({
    name: 'licenses.list',
    method: 'GET',
    path: '/licenses',
    tag: 'licenses',
    summary: 'Newest first',
    query: LicenseQuery,
    access: 'read',
    page: true,
    returns: License,
    handle: async ({ db, caller, query: { limit, cursor, status }, now }) => {
      const isExpired = status === undefined ? null : status === 'expired'
      const asked = { isExpired, now, after: afterOf(cursor, 'lic'), limit: limit + 1 }
      const page = pageByKey(await listLicenses(db, caller.workspaceId, asked), limit, cursorOf)
      return { ...page, items: page.items.map((row) => viewAt(row, now)) }
    },
  }),
  route({
    name: 'licenses.create',
    method: 'POST',
    path: '/licenses',
    tag: 'licenses',
    summary: 'Issues a key for a product',
    status: 201,
    body: LicenseCreate,
    access: 'write',
    returns: License,
    handle: async ({ tx, caller, body: { product, expiresAt = null }, now }) => {
      const row = {
        id: newId('license'),
        key: generateKey(),
        product,
        expiresAt: expiryOf(expiresAt, now),
        createdAt: now,
      }
      await insertLicense(tx, caller.workspaceId, row)
      return viewAt(row, now)
    },
  }),
  route({
    name: 'licenses.validate',
    method: 'POST',
    path: '/licenses/validate',
    tag: 'licenses',
    summary: 'Whether a key is one of the workspace’s, not expired, and of the product where one is named',
    body: LicenseValidate,
    access: 'read',
    returns: Validated,
    handle: async ({ db, caller, body: { key, product }, now }) => {
      const row = await findByKey(db, caller.workspaceId, keyOf(key))
      const license = row ? viewAt(row, now) : null
      const isOfProduct = product === undefined || license?.product === product
      return { valid: license?.status === 'active' && isOfProduct, license }
    },
  }),
]
