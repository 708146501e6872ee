import { expect, test } from 'vitest'
import type { CodeOf, Kasir, KasirError, SalesCreateErrors } from '../../client/src/index.ts'
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

export function codesOfOneOperation(error: KasirError): string {
  const code = error.code as CodeOf<SalesCreateErrors>
  // @ts-expect-error no sale is refused for the signature of a notice
  if (code === 'INVALID_SIGNATURE') return ''
  switch (code) {
    case 'CONFLICT':
    case 'IDEMPOTENCY_KEY_IN_USE':
    case 'NOT_FOUND':
    case 'VALIDATION_ERROR':
      return 'mend it'
    case 'AUTH_REQUIRED':
    case 'SECOND_FACTOR_NOT_SET_UP':
    case 'FORBIDDEN':
    case 'APPROVAL_REQUIRED':
    case 'OFFLINE_TOTAL':
    case 'PAYLOAD_TOO_LARGE':
    case 'UNSUPPORTED_MEDIA_TYPE':
      return 'never like this'
    case 'RATE_LIMITED':
    case 'INTERNAL_ERROR':
    case 'PARTNER_ERROR':
    case 'PARTNER_TIMEOUT':
    case 'SERVICE_UNAVAILABLE':
      return 'later'
    default: {
      const never: never = code
      return never
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
  expect(codesOfOneOperation).toBeTypeOf('function')
  expect(wrongFields).toBeTypeOf('function')
})
