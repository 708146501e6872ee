import { expect, test } from 'vitest'
import { makeProduct } from '../../support/build.ts'
import { done, refusalOf } from '../../support/expect.ts'
import { eventsOf } from '../../support/read.ts'
import { acme, globex, useService, workspace } from '../../support/service.ts'

useService()

const makeGroup = async (api: ReturnType<typeof acme>, name = 'Gula') =>
  (await api.post('/modifiers', { name })).data.group

test('POST /modifiers answers 201 with the group and its defaults', async () => {
  const made = await acme().post('/modifiers', { name: ' Gula ' })
  expect(made.status).toBe(201)
  expect(made.data.group).toEqual({
    id: expect.stringMatching(/^mdg_[0-9A-HJKMNP-TV-Z]{26}$/),
    name: 'Gula',
    minSelect: 0,
    maxSelect: null,
    modifiers: [],
    productCount: 0,
    createdAt: expect.any(String),
    updatedAt: expect.any(String),
  })
  expect((await acme().get(`/modifiers/${made.data.group.id}`)).data).toEqual(made.data)
})

test.each([
  [{}, 400, 'name'],
  [{ name: '' }, 400, 'name'],
  [{ name: 'x'.repeat(81) }, 400, 'name'],
  [{ name: 'A', minSelect: -1 }, 400, 'minSelect'],
  [{ name: 'A', minSelect: 51 }, 400, 'minSelect'],
  [{ name: 'A', minSelect: null }, 400, 'minSelect'],
  [{ name: 'A', maxSelect: 0 }, 400, 'maxSelect'],
  [{ name: 'A', maxSelect: 51 }, 400, 'maxSelect'],
  [{ name: 'A', maxSelect: 1.5 }, 400, 'maxSelect'],
  [{ name: 'A', minSelect: 3, maxSelect: 2 }, 422, 'maxSelect'],
])('POST /modifiers refuses %j', async (body, status, param) => {
  const refused = await acme().post('/modifiers', body)
  expect(refusalOf(refused)).toEqual({ status, code: 'VALIDATION_ERROR', param })
})

test('PATCH weighs the bounds against the stored group', async () => {
  const { data } = await acme().post('/modifiers', { name: 'Topping', minSelect: 1, maxSelect: 3 })
  const path = `/modifiers/${data.group.id}`
  const low = await acme().patch(path, { maxSelect: 1, minSelect: 2 })
  const high = await acme().patch(path, { minSelect: 4 })
  expect([low.status, low.error.param, high.status, high.error.param]).toEqual([
    422,
    'maxSelect',
    422,
    'minSelect',
  ])
  const open = await acme().patch(path, { maxSelect: null, minSelect: 50 })
  expect(open.data.group).toMatchObject({ name: 'Topping', minSelect: 50, maxSelect: null })
  expect((await acme().patch(path, {})).data.group).toEqual(open.data.group)
})

test('modifiers of a group come by sort order, then as made', async () => {
  const group = await makeGroup(acme())
  const path = `/modifiers/${group.id}/items`
  const last = await acme().post(path, { name: 'Last', sortOrder: 9 })
  expect(last.status).toBe(201)
  expect(last.data.modifier).toMatchObject({ name: 'Last', price: 0, sortOrder: 9, isActive: true })
  await acme().post(path, { name: 'First', price: 1_000_000_000 })
  const second = (await acme().post(path, { name: 'Second' })).data.modifier
  const names = async () =>
    (await acme().get(`/modifiers/${group.id}`)).data.group.modifiers.map(
      (item: { name: string }) => item.name,
    )
  expect(await names()).toEqual(['First', 'Second', 'Last'])
  const changed = await acme().patch(`${path}/${second.id}`, { sortOrder: 10, isActive: false, price: 500 })
  expect(changed.data.modifier).toMatchObject({ name: 'Second', sortOrder: 10, isActive: false, price: 500 })
  expect(await names()).toEqual(['First', 'Last', 'Second'])
  expect((await acme().delete(`${path}/${second.id}`)).data).toEqual({ id: second.id, deleted: true })
  expect(await names()).toEqual(['First', 'Last'])
})

test.each([
  [{}, 'name'],
  [{ name: 'x'.repeat(81) }, 'name'],
  [{ name: 'A', price: -1 }, 'price'],
  [{ name: 'A', price: 1_000_000_001 }, 'price'],
  [{ name: 'A', price: '5' }, 'price'],
  [{ name: 'A', sortOrder: -1 }, 'sortOrder'],
  [{ name: 'A', isActive: 1 }, 'isActive'],
])('POST items refuses %j', async (body, param) => {
  const group = await makeGroup(acme())
  const refused = await acme().post(`/modifiers/${group.id}/items`, body)
  expect(refusalOf(refused)).toMatchObject({ status: 400, param })
})

test('an item under the wrong group answers 404 and is untouched', async () => {
  const [mine, other] = [await makeGroup(acme()), await makeGroup(acme())]
  const { data } = await acme().post(`/modifiers/${mine.id}/items`, { name: 'Boba' })
  const path = `/modifiers/${other.id}/items/${data.modifier.id}`
  const answers = [
    await acme().patch(path, { name: 'X' }),
    await acme().delete(path),
    await acme().post('/modifiers/mdg_unknown/items', { name: 'X' }),
  ]
  expect(answers.map((answer) => answer.status)).toEqual([404, 404, 404])
  expect((await acme().get(`/modifiers/${mine.id}`)).data.group.modifiers).toMatchObject([{ name: 'Boba' }])
})

test('PUT sets the groups of a product, whole and in order', async () => {
  const api = await workspace()
  const product = await makeProduct(api)
  const [a, b, c] = [await makeGroup(api, 'A'), await makeGroup(api, 'B'), await makeGroup(api, 'C')]
  const path = `/modifiers/product/${product.id}`
  const ids = (answer: { data: { groups: { id: string }[] } }) => answer.data.groups.map((group) => group.id)
  const set = await api.put(path, { groupIds: [c.id, a.id, b.id] })
  expect([set.status, ids(set)]).toEqual([200, [c.id, a.id, b.id]])
  expect((await api.get(`/products/${product.id}`)).data.product.modifierGroupIds).toEqual([c.id, a.id, b.id])
  expect(set.data.groups[0].productCount).toBe(1)
  await api.put(path, { groupIds: [b.id, c.id] })
  expect(ids(await api.get(path))).toEqual([b.id, c.id])
  const events = await eventsOf(api, 'service.product.updated.v1')
  expect(events).toMatchObject([
    { product: { modifierGroupIds: [c.id, a.id, b.id] } },
    { product: { modifierGroupIds: [b.id, c.id] } },
  ])
  expect((await api.delete(`/modifiers/${b.id}`)).data).toEqual({ id: b.id, deleted: true })
  expect(ids(await api.get(path))).toEqual([c.id])
  expect(ids(await api.put(path, { groupIds: [] }))).toEqual([])
})

test('deleting a modifier group changes each of its products and announces them, and no other', async () => {
  const api = await workspace()
  const [gone, kept] = [await makeGroup(api, 'Gone'), await makeGroup(api, 'Kept')]
  const [both, one, other] = [await makeProduct(api), await makeProduct(api), await makeProduct(api)]
  await api.patch(`/products/${one.id}`, { isActive: false })
  for (const [product, groupIds] of [
    [both, [gone.id, kept.id]],
    [one, [gone.id]],
    [other, [kept.id]],
  ] as const)
    done(await api.put(`/modifiers/product/${product.id}`, { groupIds }))
  const read = async ({ id }: { id: string }) => (await api.get(`/products/${id}`)).data.product
  const before = await Promise.all([both, one, other].map(read))
  const told = (await eventsOf(api, 'service.product.updated.v1')).length
  done(await api.delete(`/modifiers/${gone.id}`))
  const after = await Promise.all([both, one, other].map(read))
  expect(after.map(({ modifierGroupIds }) => modifierGroupIds)).toEqual([[kept.id], [], [kept.id]])
  expect(after.map(({ updatedAt }, at) => updatedAt > before[at].updatedAt)).toEqual([true, true, false])
  const events = (await eventsOf(api, 'service.product.updated.v1')).slice(told)
  expect(events).toEqual([{ product: after[0] }, { product: after[1] }])
  expect(refusalOf(await api.delete(`/modifiers/${gone.id}`))).toMatchObject({ status: 404 })
})

test('PUT of product groups refuses unknown, foreign and repeated groups', async () => {
  const [product, group] = [await makeProduct(acme()), await makeGroup(acme())]
  const foreign = await makeGroup(globex())
  const path = `/modifiers/product/${product.id}`
  const cases: [unknown, number, string | undefined][] = [
    [{}, 400, 'groupIds'],
    [{ groupIds: 'x' }, 400, 'groupIds'],
    [{ groupIds: Array(51).fill(group.id) }, 400, 'groupIds'],
    [{ groupIds: [group.id, 'mdg_unknown'] }, 404, 'groupIds[1]'],
    [{ groupIds: [foreign.id] }, 404, 'groupIds[0]'],
    [{ groupIds: [group.id, group.id] }, 422, 'groupIds[1]'],
  ]
  for (const [body, status, param] of cases) {
    const refused = await acme().put(path, body)
    expect([body, refused.status, refused.error.param]).toEqual([body, status, param])
  }
  const nowhere = [
    await acme().get('/modifiers/product/prd_unknown'),
    await acme().put('/modifiers/product/prd_unknown', { groupIds: [] }),
  ]
  expect(nowhere.map((answer) => answer.status)).toEqual([404, 404])
})

test('groups are listed by name and stay in their workspace', async () => {
  const api = await workspace()
  const [b, a] = [await makeGroup(api, 'Susu'), await makeGroup(api, 'Es')]
  await api.post(`/modifiers/${a.id}/items`, { name: 'Sedikit' })
  const { groups } = (await api.get('/modifiers')).data
  expect(groups.map((group: { id: string }) => group.id)).toEqual([a.id, b.id])
  expect(groups[0].modifiers).toMatchObject([{ name: 'Sedikit' }])
  const path = `/modifiers/${a.id}`
  const answers = [
    await globex().get(path),
    await globex().patch(path, { name: 'Mine' }),
    await globex().delete(path),
    await globex().post(`${path}/items`, { name: 'Mine' }),
    await globex().patch(`${path}/items/${groups[0].modifiers[0].id}`, { name: 'Mine' }),
    await globex().delete(`${path}/items/${groups[0].modifiers[0].id}`),
  ]
  expect(answers.map((answer) => answer.status)).toEqual(Array(6).fill(404))
})
