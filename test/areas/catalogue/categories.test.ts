import { expect, test } from 'vitest'
import { refusalOf } from '../../support/expect.ts'
import { globex, useService, workspace } from '../../support/service.ts'

useService()

test('a new order is refused with 404 for an id of nowhere and with 422 for a set that is not whole', async () => {
  const api = await workspace()
  const ids: string[] = []
  for (const name of ['A', 'B']) ids.push((await api.post('/categories', { name })).data.category.id)
  const [a = '', b = ''] = ids
  const foreign = (await globex().post('/categories', { name: 'Theirs' })).data.category.id
  const reorder = (order: string[]) => api.post('/categories/reorder', { ids: order })
  const nowhere = 'cat_01ARZ3NDEKTSV4RRFFQ69G5FAV'
  expect(refusalOf(await reorder([b, nowhere]))).toEqual({ status: 404, code: 'NOT_FOUND', param: 'ids[1]' })
  expect(refusalOf(await reorder([foreign, a, b]))).toEqual({
    status: 404,
    code: 'NOT_FOUND',
    param: 'ids[0]',
  })
  for (const order of [[a], [a, b, a], [a, a], []])
    expect(refusalOf(await reorder(order))).toEqual({ status: 422, code: 'VALIDATION_ERROR', param: 'ids' })
  const { categories } = (await reorder([b, a])).data
  expect(categories.map((category: { id: string }) => category.id)).toEqual([b, a])
})
