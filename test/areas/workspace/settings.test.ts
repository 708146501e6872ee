import { expect, test } from 'vitest'
import { getSettings } from '../../../src/areas/workspace/settings/index.ts'
import { NO_APPROVALS } from '../../../src/core/approvals.ts'
import { scopeOf } from '../../support/clients.ts'
import { refusalOf } from '../../support/expect.ts'
import { acme, deps, globex, useService, workspace } from '../../support/service.ts'

useService()

const records = async (accountId: string) =>
  (await deps().db.selectFrom('settings').select('id').where('accountId', '=', accountId).execute()).length

test('the first read makes the record with its defaults, named after the workspace', async () => {
  const fresh = await workspace('Kopi Senja')
  const read = await fresh.get('/settings')
  expect(read.status).toBe(200)
  expect(read.data.settings).toEqual({
    id: expect.stringMatching(/^pos_[0-9A-Z]{26}$/),
    businessName: 'Kopi Senja',
    approvals: NO_APPROVALS,
    scaleBarcodes: [],
    businessType: 'GENERAL',
    currency: 'IDR',
    transferBankName: null,
    transferBankAccountNumber: null,
    transferBankAccountHolder: null,
    loyaltyRupiahPerPoint: 10_000,
    negativeStock: 'ALLOW',
    openItems: true,
    expenseCategories: [],
    npwp: null,
    receiptThanks: null,
    receiptQr: false,
    secondFactorRequired: false,
    publicSlug: null,
    logoUrl: null,
    thumbnailUrl: null,
    createdAt: expect.any(String),
    updatedAt: expect.any(String),
  })
  expect((await fresh.get('/settings')).data).toEqual(read.data)
})

test('twenty first reads at once make one record', async () => {
  const fresh = await workspace('Kopi Pagi')
  const answers = await Promise.all(Array.from({ length: 20 }, () => fresh.get('/settings')))
  expect(new Set(answers.map((answer) => answer.data.settings.id)).size).toBe(1)
  expect(await records(fresh.workspace.accountId)).toBe(1)
})

test('other areas see the defaults while no record exists, and make none', async () => {
  const apotek = await workspace('Apotek Sehat')
  expect(await getSettings(deps().db, scopeOf(apotek))).toEqual({
    businessName: 'Apotek Sehat',
    approvals: NO_APPROVALS,
    scaleBarcodes: [],
    businessType: 'GENERAL',
    currency: 'IDR',
    transferBankName: null,
    transferBankAccountNumber: null,
    transferBankAccountHolder: null,
    loyaltyRupiahPerPoint: 10_000,
    negativeStock: 'ALLOW',
    openItems: true,
    expenseCategories: [],
    npwp: null,
    receiptThanks: null,
    receiptQr: false,
    secondFactorRequired: false,
    publicSlug: null,
    logoUrl: null,
    thumbnailUrl: null,
  })
  expect(await records(apotek.workspace.accountId)).toBe(0)
})

test('PUT replaces what was sent, keeps what was not and clears what is null', async () => {
  const fresh = await workspace('Toko Maju')
  const put = await fresh.put('/settings', {
    businessName: ' Toko Maju Jaya ',
    businessType: 'RETAIL',
    transferBankName: 'BCA',
    transferBankAccountNumber: '123-456 7890',
    transferBankAccountHolder: 'PT Maju Jaya',
    loyaltyRupiahPerPoint: 0,
    negativeStock: 'BLOCK',
  })
  expect(put.status).toBe(200)
  expect(put.data.settings).toMatchObject({
    businessName: 'Toko Maju Jaya',
    businessType: 'RETAIL',
    currency: 'IDR',
    transferBankAccountNumber: '123-456 7890',
    loyaltyRupiahPerPoint: 0,
    negativeStock: 'BLOCK',
  })
  const cleared = await fresh.put('/settings', { transferBankName: null, currency: 'IDR' })
  expect(cleared.data.settings).toMatchObject({
    businessName: 'Toko Maju Jaya',
    transferBankName: null,
    transferBankAccountHolder: 'PT Maju Jaya',
    negativeStock: 'BLOCK',
  })
  const untouched = await fresh.put('/settings', {})
  expect([untouched.status, untouched.data]).toEqual([200, cleared.data])
  expect((await getSettings(deps().db, scopeOf(fresh))).negativeStock).toBe('BLOCK')
})

test.each([
  [{ businessName: ' ' }, 400, 'businessName'],
  [{ businessName: null }, 400, 'businessName'],
  [{ businessName: 'x'.repeat(121) }, 400, 'businessName'],
  [{ businessType: 'CAFE' }, 400, 'businessType'],
  [{ currency: 5 }, 400, 'currency'],
  [{ currency: 'USD' }, 422, 'currency'],
  [{ currency: 'idr' }, 422, 'currency'],
  [{ transferBankName: 'x'.repeat(81) }, 400, 'transferBankName'],
  [{ transferBankAccountNumber: '12a4' }, 400, 'transferBankAccountNumber'],
  [{ transferBankAccountNumber: '١٢٣' }, 400, 'transferBankAccountNumber'],
  [{ transferBankAccountNumber: '12\n34' }, 400, 'transferBankAccountNumber'],
  [{ transferBankAccountNumber: '1'.repeat(41) }, 400, 'transferBankAccountNumber'],
  [{ transferBankAccountNumber: 1234 }, 400, 'transferBankAccountNumber'],
  [{ transferBankAccountHolder: 'x'.repeat(121) }, 400, 'transferBankAccountHolder'],
  [{ loyaltyRupiahPerPoint: -1 }, 400, 'loyaltyRupiahPerPoint'],
  [{ loyaltyRupiahPerPoint: 1.5 }, 400, 'loyaltyRupiahPerPoint'],
  [{ negativeStock: 'WARN' }, 400, 'negativeStock'],
  [{ npwp: '01.234.567.8-901.23' }, 400, 'npwp'],
  [{ npwp: '12345678901234567' }, 400, 'npwp'],
  [{ npwp: '01/234/567/8/901/234' }, 400, 'npwp'],
  [{ npwp: '٠١٢٣٤٥٦٧٨٩٠١٢٣٤' }, 400, 'npwp'],
  [{ npwp: `01${'.'.repeat(30)}2345678901234` }, 400, 'npwp'],
  [{ npwp: 123456789012345 }, 400, 'npwp'],
  [{ receiptThanks: 'x'.repeat(201) }, 400, 'receiptThanks'],
])('PUT /settings refuses %j', async (body, status, param) => {
  const before = (await acme().get('/settings')).data
  const refused = await acme().put('/settings', body)
  expect(refusalOf(refused)).toEqual({ status, code: 'VALIDATION_ERROR', param })
  expect((await acme().get('/settings')).data).toEqual(before)
})

test.each([
  ['01.234.567.8-901.234', '012345678901234'],
  [' 0123 4567 8901 2345 ', '0123456789012345'],
  ['012345678901234', '012345678901234'],
  ['', null],
  [null, null],
])('the tax number %j, as people write it, is kept as %j', async (npwp, kept) => {
  const fresh = await workspace('Kena Pajak')
  expect((await fresh.put('/settings', { npwp: '999999999999999' })).data.settings.npwp).toBe(
    '999999999999999',
  )
  expect((await fresh.put('/settings', { npwp })).data.settings.npwp).toBe(kept)
  expect((await fresh.get('/settings')).data.settings.npwp).toBe(kept)
})

test('a field nobody knows is refused, and the id may be sent back', async () => {
  const before = (await acme().get('/settings')).data.settings
  const unknown = await acme().put('/settings', { accountId: 'acc_1' })
  expect(refusalOf(unknown)).toMatchObject({ status: 400, param: 'accountId' })
  const put = await acme().put('/settings', { ...before, id: 'pos_1', createdAt: 'never' })
  expect([put.status, put.data.settings.id]).toEqual([200, before.id])
})

test('two changes of different approvals at the same time are both kept', async () => {
  for (let round = 0; round < 10; round += 1) {
    await acme().put('/settings', { approvals: NO_APPROVALS })
    const answers = await Promise.all([
      acme().put('/settings', { approvals: { void: true } }),
      acme().put('/settings', { approvals: { refund: true } }),
    ])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    const { settings } = (await acme().get('/settings')).data
    expect(settings.approvals).toMatchObject({ void: true, refund: true })
  }
  await acme().put('/settings', { approvals: NO_APPROVALS })
})

test('each workspace has settings of its own', async () => {
  await acme().put('/settings', { businessName: 'Acme Kopi' })
  expect((await globex().get('/settings')).data.settings.businessName).toBe('Globex')
})

test('a public address is one workspace’s for good, is changed, and may be taken back', async () => {
  const [shop, other] = [await workspace('Kopi'), await workspace('Kopi')]
  const put = (api: typeof shop, publicSlug: string) => api.put('/settings', { publicSlug })
  expect((await put(shop, 'kopi-senja')).data.settings.publicSlug).toBe('kopi-senja')
  expect((await put(shop, 'kopi-pagi')).data.settings.publicSlug).toBe('kopi-pagi')
  expect(refusalOf(await put(other, 'kopi-senja'))).toEqual({
    status: 409,
    code: 'CONFLICT',
    param: 'publicSlug',
  })
  expect((await other.get('/settings')).data.settings.publicSlug).toBeNull()
  expect((await put(shop, 'kopi-senja')).data.settings.publicSlug).toBe('kopi-senja')
  for (let n = 3; n <= 10; n += 1) expect((await put(shop, `kopi-${n}`)).status).toBe(200)
  expect((await put(shop, 'kopi-11')).status).toBe(409)
  expect((await put(shop, 'kopi-3')).status).toBe(200)
  expect(refusalOf(await shop.put('/settings', { publicSlug: null }))).toMatchObject({ status: 422 })
})

test('of twenty workspaces that ask for one public address at the same time one gets it', async () => {
  const shops = await Promise.all(Array.from({ length: 20 }, (_, i) => workspace(`Shop ${i}`)))
  const answers = await Promise.all(shops.map((shop) => shop.put('/settings', { publicSlug: 'satu' })))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(19).fill(409)])
})

test.each(['ab', 'x'.repeat(61), 'Kopi', 'kopi senja', '-kopi', 'kopi--senja', 'köpi', ''])(
  'the public address %j is refused',
  async (publicSlug) => {
    expect(refusalOf(await acme().put('/settings', { publicSlug }))).toEqual({
      status: 400,
      code: 'VALIDATION_ERROR',
      param: 'publicSlug',
    })
  },
)
