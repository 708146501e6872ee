import { assert } from '../../../core/assert.ts'
import { clearEmpty } from '../../../core/text.ts'
import type { Db, Tx } from '../../../platform/db/open.ts'
import type { Deps } from '../../../platform/deps.ts'
import type { Scope } from '../../../platform/scope.ts'
import type { Pixels, PixelsPatch } from './schema.ts'
import * as store from './store.ts'

const DEFAULTS: Pixels = {
  enabled: false,
  socialPixelId: null,
  socialTestEventCode: null,
  analyticsId: null,
  adsConversionId: null,
  adsPurchaseLabel: null,
  shortVideoPixelId: null,
  socialCapiAccessTokenSet: false,
  socialCapiAccessTokenLast4: null,
  createdAt: null,
  updatedAt: null,
}

export const getPixels = async (db: Db, scope: Scope): Promise<Pixels> =>
  (await store.find(db, scope)) ?? DEFAULTS

/** The end of a shorter token stays hidden: four characters would be most of it. */
const SHOWS_ITS_END = 12

const endOf = (token: string | null): string | null => {
  const signs = [...(token ?? '')]
  return signs.length < SHOWS_ITS_END ? null : signs.slice(-4).join('')
}

const IDS = [
  'socialPixelId',
  'socialTestEventCode',
  'analyticsId',
  'adsConversionId',
  'adsPurchaseLabel',
  'shortVideoPixelId',
] as const

/** Changes only the fields that are sent. Encrypts the token, which no route ever returns (B-pixel-1). */
export async function updatePixels(
  { secrets }: Pick<Deps, 'secrets'>,
  tx: Tx,
  scope: Scope,
  { socialCapiAccessToken: token, ...patch }: PixelsPatch,
): Promise<Pixels> {
  if (token === undefined && Object.keys(patch).length === 0) return getPixels(tx, scope)
  const place = {
    table: 'pixel_settings',
    column: 'social_capi_access_token',
    accountId: scope.accountId,
    row: 'socialCapiAccessToken',
  } as const
  await store.merge(tx, scope, {
    ...clearEmpty(patch, IDS),
    ...(token !== undefined && {
      socialCapiAccessToken: token ? secrets.seal(token, place) : null,
      socialCapiAccessTokenLast4: endOf(token),
    }),
  })
  const made = await store.find(tx, scope)
  assert(made, 'settings that were written exist')
  return made
}
