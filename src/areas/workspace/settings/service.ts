import { assert } from '../../../core/assert.ts'
import { ApiError, invalid } from '../../../core/errors.ts'
import { SETTINGS_DEFAULTS } from '../../../core/settings.ts'
import { emptyToNull } from '../../../core/text.ts'
import type { Db, Tx, WriteDb } from '../../../platform/db/open.ts'
import type { Deps } from '../../../platform/deps.ts'
import { emit } from '../../../platform/outbox.ts'
import type { Scope } from '../../../platform/scope.ts'
import { requireLogo } from '../uploads/index.ts'
import { settingsChanged } from './events.ts'
import { type BusinessType, type Settings, SettingsPatch, type SettingsValues } from './schema.ts'
import { makeSlug, requireSlug } from './slugs.ts'
import * as store from './store.ts'

/** The workspace's settings, or their defaults while no record exists; reads only (B-settings-1, B-settings-2). */
export async function getSettings(db: Db, scope: Pick<Scope, 'accountId'>): Promise<SettingsValues> {
  const found = await store.find(db, scope)
  if (!found) return { businessName: await store.accountName(db, scope), ...SETTINGS_DEFAULTS }
  const { id: _id, createdAt: _createdAt, updatedAt: _updatedAt, ...values } = found
  return values
}

/** The record, created on first read (B-settings-1): the one GET that writes. */
export async function readSettings(db: WriteDb, scope: Scope): Promise<Settings> {
  const found = await store.find(db, scope)
  if (found) return found
  await store.insertOnce(db, scope, { businessName: await store.accountName(db, scope) })
  const made = await store.find(db, scope)
  assert(made, 'the settings record exists once it was inserted')
  return made
}

/** The same as `updateSettings`, for what a caller sends: a new logo must be an image of the workspace. */
export async function changeSettings(deps: Deps, tx: Tx, scope: Scope, patch: SettingsPatch) {
  const { logoUrl } = await readSettings(tx, scope)
  if (patch.logoUrl && patch.logoUrl !== logoUrl) await requireLogo(deps, tx, scope, patch.logoUrl)
  return updateSettings(tx, scope, patch)
}

/** Replaces the keys that were sent; 422 for a currency other than IDR, since every price is rupiah (B-settings-1). */
export async function updateSettings(tx: Tx, scope: Scope, patch: SettingsPatch): Promise<Settings> {
  if (patch.currency !== undefined && patch.currency !== 'IDR') {
    throw invalid('currency', 'Prices are whole rupiah; the currency can only be IDR')
  }
  const before = await readSettings(tx, scope)
  requireOwnHand(scope, before, patch)
  requireOwner(scope, before, patch)
  if (Object.keys(patch).length === 0) return before
  if (patch.publicSlug !== undefined) await requireSlug(tx, scope, before, patch.publicSlug)
  const logoUrl = emptyToNull(patch.logoUrl)
  await store.update(tx, scope, {
    ...patch,
    ...(patch.logoUrl === undefined ? {} : { logoUrl }),
    ...(patch.npwp === undefined ? {} : { npwp: emptyToNull(patch.npwp?.replaceAll(/\D/g, '')) }),
  })
  const settings = await readSettings(tx, scope)
  const changed = FIELDS.filter((key) => settings[key] !== before[key])
  if (changed.length > 0) await emit(tx, scope, settingsChanged, settings.id, { settings, changed })
  return settings
}

const FIELDS = Object.keys(SettingsPatch.properties) as (keyof SettingsPatch)[]

const OF_THE_BANK = ['transferBankName', 'transferBankAccountNumber', 'transferBankAccountHolder'] as const

/** Where customers send their money is not for an assistant to change: 403 (B-delegate-4). */
function requireOwnHand({ actor }: Scope, before: Settings, patch: SettingsPatch) {
  if (actor.delegation === undefined) return
  const param = OF_THE_BANK.find((key) => patch[key] !== undefined && patch[key] !== before[key])
  if (param === undefined) return
  throw new ApiError('FORBIDDEN', 'An assistant cannot change the bank account; do it yourself', { param })
}

/** Who must prove more than a password is for an owner to say: 403 (B-factor-6). */
function requireOwner({ actor }: Scope, before: Settings, { secondFactorRequired }: SettingsPatch) {
  if (secondFactorRequired === undefined || secondFactorRequired === before.secondFactorRequired) return
  if (actor.role === 'OWNER' && actor.delegation === undefined) return
  throw new ApiError('FORBIDDEN', 'Only an owner can change who needs a second factor', {
    param: 'secondFactorRequired',
  })
}

export const createSettings = (
  tx: Tx,
  scope: Scope,
  values: { businessName: string; businessType?: BusinessType },
) => store.insertOnce(tx, scope, values)

/** The slug of the workspace, made from its name when it has none yet (B-settings-4). */
export async function ensurePublicSlug(tx: Tx, scope: Scope): Promise<string> {
  const { businessName } = await readSettings(tx, scope)
  const settings = await store.lock(tx, scope)
  if (settings?.publicSlug) return settings.publicSlug
  const slug = await makeSlug(tx, scope, businessName)
  await updateSettings(tx, scope, { publicSlug: slug })
  return slug
}
