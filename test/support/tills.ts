import { expect } from 'vitest'
import { type Answer, type Api, deps } from './api.ts'

/** What a refused request tells, in one comparable line: status, code and the field at fault. */
export const refusalOf = ({ status, error }: Answer) => [status, error?.code, error?.param]

/** The sale of an answer that must have succeeded. */
// oxlint-disable-next-line typescript/no-explicit-any -- answers are asserted, not typed
export function saleOf(answer: Answer): any {
  expect(answer.status, answer.text).toBeLessThan(300)
  return answer.data.sale
}

/** Data of the events about a record, oldest first, with their types. */
export async function eventsAbout(api: Api, refId: string) {
  const rows = await deps()
    .db.selectFrom('events')
    .select(['type', 'body'])
    .where('accountId', '=', api.workspace.accountId)
    .where('refId', '=', refId)
    .orderBy('id')
    .execute()
  return rows.map(({ type, body }) => ({ type, data: JSON.parse(body).data }))
}

/** A customer with a name, made through the API. */
export const makeCustomer = async (api: Api, fields: Record<string, unknown> = {}): Promise<string> =>
  (await api.post('/customers', { name: 'Sari', ...fields })).data.customer.id

export const customerOf = async (api: Api, id: string) => (await api.get(`/customers/${id}`)).data.customer

/** A gift card of some rupiah; its id and code. */
export const makeCard = async (
  api: Api,
  amount: number,
  fields: Record<string, unknown> = {},
): Promise<{ id: string; code: string }> =>
  (await api.post('/gift-cards', { amount, ...fields })).data.giftCard

export const cardOf = async (api: Api, code: string) => (await api.get(`/gift-cards/${code}`)).data.giftCard

export const openShift = async (api: Api, outletId: string, openingFloat = 0): Promise<string> =>
  (await api.post('/shifts/open', { outletId, openingFloat })).data.shift.id
