import { expect, test } from 'vitest'
import type { Kasir, KasirError } from '../../client/src/index.ts'
import type { KasirEvent, UnknownEvent } from '../../client/src/webhooks.ts'

// Nothing here runs: `npm run check` compiles it, and an error that does not come fails there.

export function wrongFields(kasir: Kasir) {
  // @ts-expect-error a sale has items
  void kasir.sales.create({ outletId: 'out_1' })
  // @ts-expect-error quantity is misspelt
  void kasir.sales.create({ outletId: 'out_1', items: [{ variantId: 'var_1', quantiti: 1 }] })
  // @ts-expect-error an amount is a number
  void kasir.sales.addPayment({ id: 'sal_1', method: 'CASH', amount: '1000' })
  // @ts-expect-error there is no such state
  void kasir.sales.all({ status: 'OPEN' })
  // @ts-expect-error a receipt is of one sale
  void kasir.sales.getReceipt()
  // @ts-expect-error outlets are one list
  void kasir.outlets.pages()
  // @ts-expect-error there is no such operation
  void kasir.sales.destroy({ id: 'sal_1' })
}

export async function answers(kasir: Kasir): Promise<[number, string | null]> {
  const { sale } = await kasir.sales.create({ outletId: 'out_1', items: [] })
  // @ts-expect-error a total is a number
  const text: string = sale.total
  void text
  for await (const row of kasir.sales.all()) {
    // @ts-expect-error rows of a list have no items
    void row.items
  }
  return [sale.total, sale.customerId]
}

export function missingCode(error: KasirError): string {
  switch (error.code) {
    case 'CONFLICT':
      return error.details?.sale?.number ?? ''
    case 'NOT_FOUND':
      return error.param ?? ''
    default: {
      // @ts-expect-error twenty other codes are not handled
      const never: never = error
      return String(never)
    }
  }
}

export function eventsByType(event: KasirEvent) {
  if (event.type === 'service.sale.completed.v1') {
    const total: number = event.data.sale.total
    // @ts-expect-error a sale's event has no shift
    void event.data.shift
    return total
  }
  // @ts-expect-error there is no such event
  if (event.type === 'service.sale.vanished.v1') return 0
  return 1
}

export function unknownEvents(event: UnknownEvent) {
  // @ts-expect-error what an unknown event holds is unknown
  return event.data.sale
}

test('the types above were compiled', () => {
  expect(wrongFields).toBeTypeOf('function')
})
