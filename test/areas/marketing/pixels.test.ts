import { expect, test } from 'vitest'
import { refusalOf } from '../../support/expect.ts'
import { useMarketing } from '../../support/marketing.ts'
import { acme, deps, globex } from '../../support/service.ts'

useMarketing()

const PIXELS = '/account/pixels'
const TOKEN = 'EAAB-very-secret-token-9f3c'
const NOTHING = {
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

test('before anything is set the answer is the defaults', async () => {
  expect((await globex().get(PIXELS)).data.pixels).toEqual(NOTHING)
})

test('PATCH changes what is sent; the token comes back as its last four characters and lies sealed', async () => {
  const set = await acme().patch(PIXELS, { enabled: true, analyticsId: 'G-1', socialCapiAccessToken: TOKEN })
  expect(set.data.pixels).toMatchObject({
    enabled: true,
    analyticsId: 'G-1',
    socialCapiAccessTokenSet: true,
    socialCapiAccessTokenLast4: '9f3c',
  })
  const more = await acme().patch(PIXELS, { adsConversionId: 'AW-2', analyticsId: '' })
  expect(more.data.pixels).toMatchObject({
    analyticsId: null,
    adsConversionId: 'AW-2',
    socialCapiAccessTokenSet: true,
    socialCapiAccessTokenLast4: '9f3c',
  })
  const read = await acme().get(PIXELS)
  expect(read.data).toEqual(more.data)
  expect(set.text + more.text + read.text).not.toContain('very-secret')
  const { rows } = await deps().pool.query('select * from pixel_settings')
  expect(JSON.stringify(rows)).not.toContain('very-secret')
  const [row] = rows
  const place = {
    table: 'pixel_settings',
    column: 'social_capi_access_token',
    accountId: acme().workspace.accountId,
    row: 'socialCapiAccessToken',
  } as const
  expect(await deps().secrets.open(row.social_capi_access_token, place)).toBe(TOKEN)
  expect((await globex().get(PIXELS)).data.pixels).toEqual(NOTHING)
})

test('null removes the token, and of a short one nothing is shown', async () => {
  const short = await globex().patch(PIXELS, { socialCapiAccessToken: 'short-token' })
  expect(short.data.pixels).toMatchObject({
    socialCapiAccessTokenSet: true,
    socialCapiAccessTokenLast4: null,
  })
  const emoji = await globex().patch(PIXELS, { socialCapiAccessToken: '🔑'.repeat(500) })
  expect(emoji.data.pixels.socialCapiAccessTokenLast4).toBe('🔑🔑🔑🔑')
  for (const none of [null, '']) {
    await globex().patch(PIXELS, { socialCapiAccessToken: TOKEN })
    const cleared = await globex().patch(PIXELS, { socialCapiAccessToken: none })
    expect(cleared.data.pixels).toMatchObject({
      socialCapiAccessTokenSet: false,
      socialCapiAccessTokenLast4: null,
    })
  }
})

test('what a record shows may be sent back, and changes nothing', async () => {
  const before = (await acme().patch(PIXELS, { socialPixelId: '123', socialCapiAccessToken: TOKEN })).data
  const sent = await acme().patch(PIXELS, before.pixels)
  expect(sent.data.pixels).toEqual({ ...before.pixels, updatedAt: expect.any(String) })
})

test.each([
  [{ enabled: null }, 'enabled'],
  [{ socialPixelId: 'x'.repeat(65) }, 'socialPixelId'],
  [{ socialCapiAccessToken: 'x'.repeat(501) }, 'socialCapiAccessToken'],
  [{ analyticsId: 5 }, 'analyticsId'],
  [{ socialCapiToken: 'x' }, 'socialCapiToken'],
])('PATCH refuses %j', async (body, param) => {
  expect(refusalOf(await acme().patch(PIXELS, body))).toEqual({
    status: 400,
    code: 'VALIDATION_ERROR',
    param,
  })
})
