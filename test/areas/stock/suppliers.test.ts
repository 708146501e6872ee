import { expect, test } from 'vitest'
import { refusalOf } from '../../support/expect.ts'
import { acme, globex, useService, workspace } from '../../support/service.ts'

useService()

test('POST /suppliers answers 201 with every field', async () => {
  const created = await acme().post('/suppliers', { name: ' Sumber Kopi ', phone: '0812', email: 'a@b.id' })
  expect(created.status).toBe(201)
  expect(created.data.supplier).toMatchObject({
    name: 'Sumber Kopi',
    contact: null,
    phone: '0812',
    email: 'a@b.id',
    address: null,
    note: null,
    isActive: true,
  })
  expect(created.data.supplier.id).toMatch(/^sup_[0-9A-HJKMNP-TV-Z]{26}$/)
  const read = await acme().get(`/suppliers/${created.data.supplier.id}`)
  expect(read.data).toEqual(created.data)
})

test('PATCH keeps what is absent and clears what is null', async () => {
  const { data } = await acme().post('/suppliers', { name: 'Susu Segar', contact: 'Ibu Rina', note: 'pagi' })
  const path = `/suppliers/${data.supplier.id}`
  const patched = await acme().patch(path, { note: null, isActive: false })
  expect(patched.data.supplier).toMatchObject({
    name: 'Susu Segar',
    contact: 'Ibu Rina',
    note: null,
    isActive: false,
  })
  const untouched = await acme().patch(path, {})
  expect([untouched.status, untouched.data]).toEqual([200, patched.data])
  expect((await acme().patch(path, { name: null })).error.param).toBe('name')
})

test('DELETE always deactivates, also twice', async () => {
  const { data } = await acme().post('/suppliers', { name: 'Once' })
  for (let time = 0; time < 2; time += 1) {
    const gone = await acme().delete(`/suppliers/${data.supplier.id}`)
    expect([gone.status, gone.data]).toMatchObject([
      200,
      { supplier: { id: data.supplier.id, isActive: false }, deactivated: true },
    ])
  }
})

test.each([
  [{}, 'name'],
  [{ name: ' ' }, 'name'],
  [{ name: 'x'.repeat(161) }, 'name'],
  [{ name: 'A', contact: 'x'.repeat(161) }, 'contact'],
  [{ name: 'A', phone: 'x'.repeat(41) }, 'phone'],
  [{ name: 'A', email: 'x'.repeat(161) }, 'email'],
  [{ name: 'A', address: 'x'.repeat(501) }, 'address'],
  [{ name: 'A', note: 'x'.repeat(1001) }, 'note'],
  [{ name: 'A', phone: 812 }, 'phone'],
])('POST /suppliers refuses %j', async (body, param) => {
  const refused = await acme().post('/suppliers', body)
  expect(refusalOf(refused)).toEqual({ status: 400, code: 'VALIDATION_ERROR', param })
})

test('search looks into name, contact, phone and email, and takes every sign literally', async () => {
  const shop = await workspace('Search')
  for (const body of [
    { name: 'Zeta', email: 'Order@Zeta.id' },
    { name: 'Alfa 100%', phone: '0813-55' },
    { name: 'Beta', contact: 'Pak Joko' },
  ])
    await shop.post('/suppliers', body)
  const names = async (query: string) =>
    (await shop.get(`/suppliers${query}`)).data.suppliers.map((supplier: { name: string }) => supplier.name)
  expect(await names('')).toEqual(['Alfa 100%', 'Beta', 'Zeta'])
  expect(await names('?q=order@zeta')).toEqual(['Zeta'])
  expect(await names('?q=JOKO')).toEqual(['Beta'])
  expect(await names('?q=3-5')).toEqual(['Alfa 100%'])
  expect(await names('?q=%25')).toEqual(['Alfa 100%'])
  expect(await names('?q=_eta')).toEqual([])
  expect((await shop.get('/suppliers?q=%20')).error.param).toBe('q')
  expect((await shop.get(`/suppliers?q=${'x'.repeat(121)}`)).error.param).toBe('q')
})

test('a supplier of another workspace answers 404 to every verb', async () => {
  const { data } = await acme().post('/suppliers', { name: 'Private' })
  const path = `/suppliers/${data.supplier.id}`
  const answers = [
    await globex().get(path),
    await globex().patch(path, { name: 'Mine' }),
    await globex().delete(path),
  ]
  expect(answers.map(refusalOf)).toMatchObject(Array(3).fill({ status: 404, code: 'NOT_FOUND' }))
  expect((await globex().get('/suppliers')).data.suppliers).toEqual([])
})
