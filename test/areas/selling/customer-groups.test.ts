import { describe, expect, test } from 'vitest'
import type { Api } from '../../support/api.ts'
import { fresh, makeCustomer, makeSale, openShop } from '../../support/build.ts'
import { memberOf } from '../../support/clients.ts'
import { done, refusalOf } from '../../support/expect.ts'
import { customerOf, eventsAbout } from '../../support/read.ts'
import { acme, globex, useService, workspace } from '../../support/service.ts'

useService()

const makeGroup = async (api: Api, name = fresh('Group')): Promise<string> =>
  done(await api.post('/customer-groups', { name })).customerGroup.id

describe('customer groups', () => {
  test('are listed by name with the number of their customers', async () => {
    const api = await workspace('Groups')
    const silver = await makeGroup(api, 'silver')
    const gold = await makeGroup(api, 'Gold')
    await makeCustomer(api, { groupIds: [gold] })
    const { customerGroups } = done(await api.get('/customer-groups'))
    expect(customerGroups).toMatchObject([
      { id: gold, name: 'Gold', customerCount: 1 },
      { id: silver, name: 'silver', customerCount: 0 },
    ])
    expect(done(await api.get(`/customer-groups/${gold}`)).customerGroup).toEqual(customerGroups[0])
  })

  test('a customer shows its groups, which a change replaces', async () => {
    const [one, two] = [await makeGroup(acme()), await makeGroup(acme())]
    const id = await makeCustomer(acme(), { groupIds: [one] })
    expect((await customerOf(acme(), id)).groupIds).toEqual([one])
    done(await acme().patch(`/customers/${id}`, { groupIds: [two, one] }))
    expect((await customerOf(acme(), id)).groupIds).toEqual([two, one])
    done(await acme().patch(`/customers/${id}`, { note: 'stays' }))
    expect((await customerOf(acme(), id)).groupIds).toEqual([two, one])
    done(await acme().patch(`/customers/${id}`, { groupIds: [] }))
    expect((await customerOf(acme(), id)).groupIds).toEqual([])
  })

  test('a group of a customer must exist in the workspace and may be named once', async () => {
    const group = await makeGroup(acme())
    const foreign = await makeGroup(globex())
    const send = (groupIds: string[]) => acme().post('/customers', { name: 'Ani', groupIds })
    expect(refusalOf(await send([group, foreign]))).toEqual({
      status: 404,
      code: 'NOT_FOUND',
      param: 'groupIds[1]',
    })
    const twice = await send([group, group])
    expect(refusalOf(twice)).toEqual({ status: 422, code: 'VALIDATION_ERROR', param: 'groupIds[1]' })
    expect(twice.error?.message).toBe('The group is in the list twice: send it once')
  })

  test('a cashier creates customers and cannot change their groups', async () => {
    const group = await makeGroup(acme())
    const { api: cashier } = await memberOf(acme(), 'CASHIER')
    const id = await makeCustomer(cashier)
    const refused = await cashier.patch(`/customers/${id}`, { groupIds: [group] })
    expect(refusalOf(refused)).toEqual({ status: 403, code: 'FORBIDDEN', param: 'groupIds' })
    expect(refused.error?.message).toBe(
      'A group decides prices. Ask a manager to change the groups of a customer',
    )
    expect((await customerOf(acme(), id)).groupIds).toEqual([])
  })

  test('a rule adds the customers that meet it now: spending and last visit', async () => {
    const api = await workspace('Rules')
    const { outletId, latte } = await openShop(api)
    const [regular, guest, stranger] = [
      await makeCustomer(api),
      await makeCustomer(api),
      await makeCustomer(api),
    ]
    const buy = (customerId: string, quantity: number) =>
      makeSale(api, { outletId, customerId, status: 'COMPLETED', items: [{ variantId: latte, quantity }] })
    await buy(regular, 4)
    await buy(guest, 1)
    const spenders = await makeGroup(api)
    const assign = async (id: string, body: object) =>
      done(await api.post(`/customer-groups/${id}/assign`, body))
    expect(await assign(spenders, { spentAtLeast: 60_000 })).toMatchObject({
      added: 1,
      customerGroup: { customerCount: 1 },
    })
    expect((await customerOf(api, regular)).groupIds).toEqual([spenders])
    expect(await assign(spenders, { spentAtLeast: 60_000 })).toMatchObject({ added: 0 })
    const today = await makeGroup(api)
    expect(await assign(today, { visitedSince: '2020-01-01T00:00:00Z' })).toMatchObject({ added: 2 })
    const away = await makeGroup(api)
    expect(await assign(away, { notVisitedSince: '2020-01-01T00:00:00Z' })).toMatchObject({ added: 1 })
    expect((await customerOf(api, stranger)).groupIds).toEqual([away])
    const listed = await makeGroup(api)
    expect(await assign(listed, { customerIds: [guest, stranger], spentAtLeast: 1 })).toMatchObject({
      added: 1,
    })
    expect((await customerOf(api, guest)).groupIds).toEqual([today, listed])
  })

  test('an assignment needs a list or a rule, and customers that exist', async () => {
    const id = await makeGroup(acme())
    const path = `/customer-groups/${id}/assign`
    const empty = await acme().post(path, {})
    expect(refusalOf(empty)).toEqual({ status: 400, code: 'VALIDATION_ERROR', param: 'customerIds' })
    expect(empty.error?.message).toBe('Send customerIds, or at least one rule such as spentAtLeast')
    const customerIds = [await makeCustomer(acme()), await makeCustomer(globex())]
    expect(refusalOf(await acme().post(path, { customerIds }))).toEqual({
      status: 404,
      code: 'NOT_FOUND',
      param: 'customerIds[1]',
    })
    expect(refusalOf(await acme().post('/customer-groups/cgr_none/assign', { spentAtLeast: 1 }))).toEqual({
      status: 404,
      code: 'NOT_FOUND',
    })
  })

  test('a deleted group leaves its customers, and an erased customer leaves the group', async () => {
    const [one, two] = [await makeGroup(acme()), await makeGroup(acme())]
    const { outletId, latte } = await openShop(acme())
    const id = await makeCustomer(acme(), { groupIds: [one, two] })
    expect(done(await acme().delete(`/customer-groups/${one}`))).toEqual({ id: one, deleted: true })
    expect((await customerOf(acme(), id)).groupIds).toEqual([two])
    expect((await acme().get(`/customer-groups/${one}`)).status).toBe(404)
    await makeSale(acme(), { outletId, customerId: id, items: [{ variantId: latte, quantity: 1 }] })
    done(await acme().delete(`/customers/${id}`))
    expect(done(await acme().get(`/customer-groups/${two}`)).customerGroup.customerCount).toBe(0)
  })

  test('each change of a group is one event', async () => {
    const id = await makeGroup(acme())
    done(await acme().patch(`/customer-groups/${id}`, { name: 'Renamed' }))
    done(await acme().patch(`/customer-groups/${id}`, {}))
    done(await acme().delete(`/customer-groups/${id}`))
    const types = (await eventsAbout(acme(), id)).map(({ type }) => type)
    expect(types.toSorted()).toEqual([
      'service.customer_group.created.v1',
      'service.customer_group.deleted.v1',
      'service.customer_group.updated.v1',
    ])
  })
})
