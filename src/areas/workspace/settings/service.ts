import { assert } from '../../../core/assert.ts'
import { ApiError, invalid } from '../../../core/errors.ts'
import type { ScaleBarcode } from '../../../core/scale-barcodes.ts'
import { SETTINGS_DEFAULTS } from '../../../core/settings.ts'
import { emptyToNull } from '../../../core/text.ts'
import type { Db, Tx, WriteDb } from '../../../platform/db/open.ts'
import type { Deps } from '../../../platform/deps.ts'
import { emit } from '../../../platform/events/outbox.ts'
import { type Scope, touchCatalogue } from '../../../platform/scope.ts'
import { requireLogo } from '../uploads/index.ts'
import { settingsChanged } from './events.ts'
import { type BusinessType, type Settings, SettingsPatch, type SettingsValues } from './schema.ts'
import { makeSlug, requireSlug } from './slugs.ts'
import * as store from './store.ts'

/**
 * Returns the settings of the workspace, or the defaults while no record exists. Does not create the record
 * (B-settings-1, B-settings-2).
 */
export async function getSettings(db: Db, scope: Pick<Scope, 'accountId'>): Promise<SettingsValues> {
  const found = await store.find(db, scope)
  if (!found) return { businessName: await store.accountName(db, scope), ...SETTINGS_DEFAULTS }
  const { id: _id, createdAt: _createdAt, updatedAt: _updatedAt, ...values } = found
  return values
}

/** Returns the record and creates it on the first read (B-settings-1). No other GET writes. */
export async function readSettings(db: WriteDb, scope: Scope): Promise<Settings> {
  const found = await store.find(db, scope)
  if (found) return found
  await store.insertOnce(db, scope, { businessName: await store.accountName(db, scope) })
  const made = await store.find(db, scope)
  assert(made, 'a settings record that was inserted exists')
  return made
}

/** Does the same as `updateSettings` for a request. A new logo must be an image of the workspace. */
export async function changeSettings(deps: Deps, tx: Tx, scope: Scope, patch: SettingsPatch) {
  const { logoUrl } = await readSettings(tx, scope)
  const sent = patch.logoUrl
  const thumbnailUrl = sent && sent !== logoUrl ? await requireLogo(deps, tx, scope, sent) : null
  return updateSettings(tx, scope, patch, thumbnailUrl)
}

/**
 * Changes the fields that are sent. Throws 422 for a currency other than IDR, since every price is in rupiah
 * (B-settings-1).
 */
export async function updateSettings(
  tx: Tx,
  scope: Scope,
  patch: SettingsPatch,
  thumbnailUrl: string | null = null,
): Promise<Settings> {
  if (patch.currency !== undefined && patch.currency !== 'IDR') {
    throw invalid('currency', 'All prices are in whole rupiah, so the currency must be IDR')
  }
  requireScales(patch.scaleBarcodes ?? [])
  requireDistinct(patch.expenseCategories ?? [])
  // An object is merged with the stored one, so two changes at the same time must wait for each other.
  await store.lock(tx, scope)
  const before = await readSettings(tx, scope)
  requireOwnHand(scope, before, patch)
  requireOwner(scope, before, patch)
  requireMoreThanPin(scope, before, patch)
  if (Object.keys(patch).length === 0) return before
  if (patch.publicSlug !== undefined) await requireSlug(tx, scope, before, patch.publicSlug)
  const logoUrl = emptyToNull(patch.logoUrl)
  const changesLogo = patch.logoUrl !== undefined && logoUrl !== before.logoUrl
  await store.update(tx, scope, {
    ...patch,
    ...(patch.approvals === undefined ? {} : { approvals: { ...before.approvals, ...patch.approvals } }),
    ...(patch.logoUrl === undefined ? {} : { logoUrl }),
    ...(changesLogo ? { thumbnailUrl } : {}),
    ...(patch.npwp === undefined ? {} : { npwp: emptyToNull(patch.npwp?.replaceAll(/\D/g, '')) }),
  })
  const settings = await readSettings(tx, scope)
  const changed = FIELDS.filter((key) => !isSame(settings[key], before[key]))
  if (changed.length > 0) touchCatalogue(scope, 'settings', [settings.id])
  if (changed.length > 0) await emit(tx, scope, settingsChanged, settings.id, { settings, changed })
  return settings
}

/** Throws 422 if two expense categories have the same name (B-expense-1). */
function requireDistinct(categories: readonly string[]) {
  const names = categories.map((name) => name.toLowerCase())
  const again = categories.find((_, index) => names.indexOf(names[index] ?? '') < index)
  if (again === undefined) return
  throw invalid('expenseCategories', `The category ${again} is in the list twice. Remove one of them`)
}

/** The approvals are compared by their values. */
const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)
const FIELDS = Object.keys(SettingsPatch.properties) as (keyof SettingsPatch)[]

/** Throws 422 for a format whose digits do not make an EAN-13, and for a prefix that is listed twice (B-scale-1). */
function requireScales(formats: readonly ScaleBarcode[]) {
  const seen = new Set<string>()
  formats.forEach(({ prefix, itemDigits, valueDigits }, index) => {
    if (itemDigits + valueDigits !== 10)
      throw invalid(
        `scaleBarcodes[${index}].valueDigits`,
        'itemDigits and valueDigits must make 10: an EAN-13 has 13 digits with prefix and check digit',
      )
    if (seen.has(prefix))
      throw invalid(`scaleBarcodes[${index}].prefix`, `The prefix ${prefix} is in the list twice`)
    seen.add(prefix)
  })
}

const OF_THE_BANK = ['transferBankName', 'transferBankAccountNumber', 'transferBankAccountHolder'] as const

/** Throws 403 if an assistant changes the bank account to which customers pay (B-delegate-4). */
function requireOwnHand({ actor }: Scope, before: Settings, patch: SettingsPatch) {
  if (actor.delegation === undefined) return
  const param = OF_THE_BANK.find((key) => patch[key] !== undefined && patch[key] !== before[key])
  if (param === undefined) return
  throw new ApiError('FORBIDDEN', 'An assistant cannot change the bank account. Change it yourself', {
    param,
  })
}

/** Throws 403 unless an owner changes who needs a second factor (B-factor-6). */
function requireOwner({ actor }: Scope, before: Settings, { secondFactorRequired }: SettingsPatch) {
  if (secondFactorRequired === undefined || secondFactorRequired === before.secondFactorRequired) return
  if (actor.role === 'OWNER' && actor.delegation === undefined && actor.pinAt === undefined) return
  throw new ApiError(
    'FORBIDDEN',
    'Only an owner, signed in with more than a PIN, can change who needs a second factor',
    {
      param: 'secondFactorRequired',
    },
  )
}

/** A person who saw a PIN being typed must not loosen what it is asked for: 403 (B-pin-5). */
function requireMoreThanPin({ actor }: Scope, before: Settings, { approvals }: SettingsPatch) {
  if (actor.pinAt === undefined || approvals === undefined) return
  if (isSame({ ...before.approvals, ...approvals }, before.approvals)) return
  throw new ApiError('FORBIDDEN', 'A PIN is not enough to change approvals. Sign in with your password', {
    param: 'approvals',
  })
}

export const createSettings = (
  tx: Tx,
  scope: Scope,
  values: { businessName: string; businessType?: BusinessType },
) => store.insertOnce(tx, scope, values)

/** Notes that prices have changed. Sales prove their settings, so that they read the prices again (B-price-5). */
export async function setPricingVersion(tx: Tx, scope: Scope, version: string): Promise<void> {
  await readSettings(tx, scope)
  await store.setPricingVersion(tx, scope, version)
}

/** Returns the slug of the workspace. Derives it from the name if it is missing (B-settings-4). */
export async function ensurePublicSlug(tx: Tx, scope: Scope): Promise<string> {
  const { businessName } = await readSettings(tx, scope)
  const settings = await store.lock(tx, scope)
  if (settings?.publicSlug) return settings.publicSlug
  const slug = await makeSlug(tx, scope, businessName)
  await updateSettings(tx, scope, { publicSlug: slug })
  return slug
}
