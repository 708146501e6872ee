/**
 * Ids follow the clock of the process that makes them. Here the first entry of a ledger was written by a process whose
 * clock runs ahead, so its id is the highest and stays so.
 */
import { expect, test } from 'vitest'
import { makeCard, makeCustomer } from '../../support/build.ts'
import { assertInvariants } from '../../support/expect.ts'
import { cardOf } from '../../support/read.ts'
import { acme, deps, useService } from '../../support/service.ts'

useService()

/** The same id, made at the end of time. */
const ahead = (id: string) => `${id.slice(0, 4)}7ZZZZZZZZZ${id.slice(14)}`

test('the balance of points is the one of the customer, whatever the clocks of the processes say', async () => {
  const id = await makeCustomer(acme())
  const adjust = (points: number) => acme().post(`/customers/${id}/loyalty/adjust`, { points })
  const first = (await adjust(50)).data.entry
  await deps()
    .db.updateTable('loyaltyEntries')
    .set({ id: ahead(first.id) })
    .where('accountId', '=', acme().workspace.accountId)
    .where('id', '=', first.id)
    .execute()
  await adjust(20)
  await acme().post(`/customers/${id}/loyalty/redeem`, { points: 30 })
  const { data } = await acme().get(`/customers/${id}/loyalty`)
  expect([data.balance, data.entries.length]).toEqual([40, 3])
  await assertInvariants(deps().db)
})

test('a customer without entries has a balance of 0 and none, and an unknown one is 404', async () => {
  const id = await makeCustomer(acme())
  expect((await acme().get(`/customers/${id}/loyalty`)).data).toEqual({ balance: 0, entries: [] })
  expect((await acme().get('/customers/cus_none/loyalty')).status).toBe(404)
})

test('a voided card is a sound card, whatever the clocks of the processes say', async () => {
  const { id, code } = await makeCard(acme(), 50_000)
  await deps()
    .db.updateTable('giftCardEntries')
    .set((eb) => ({ id: eb.val(ahead('gce_01ARZ3NDEKTSV4RRFFQ69G5FAV')) }))
    .where('accountId', '=', acme().workspace.accountId)
    .where('giftCardId', '=', id)
    .execute()
  expect((await acme().post(`/gift-cards/${id}/void`)).data.writtenOff).toBe(50_000)
  expect(await cardOf(acme(), code)).toMatchObject({ balance: 0, status: 'VOIDED' })
  await assertInvariants(deps().db)
})
