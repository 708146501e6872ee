import { assert } from '../../../core/assert.ts'
import { sum } from '../../../core/money.ts'
import type { Db, Tx } from '../../../platform/db/open.ts'
import type { ListResult } from '../../../platform/http/whole.ts'
import type { Scope } from '../../../platform/scope.ts'
import { getOutlet } from '../../workspace/outlets/index.ts'
import { getSettings } from '../../workspace/settings/index.ts'
import { getCustomer, listLedger, lowerCredit, whatsappNumberOf } from '../customers/index.ts'
import { shareBookingShift } from '../shifts/index.ts'
import { announce } from './payments.ts'
import { reminderText, requireOwed, requireRemindable, shareOverCharges } from './rules.ts'
import type { CreditEntry, CreditPayment, CreditPaymentIn, CreditReminder } from './schema.ts'
import * as statements from './statements.ts'
import { creditLedger } from './store.ts'

/** Reads what a customer owes and all entries, newest first (B-credit-6). */
export const getCredit = (
  db: Db,
  scope: Scope,
  id: string,
  page: { limit?: number; cursor?: string },
): Promise<ListResult<CreditEntry>> =>
  listLedger(db, scope, { name: 'credit', customerId: id, ...creditLedger(db, scope) }, page)

/** Takes money for a debt: it pays the oldest charges first and is booked to the open shift (B-credit-4). */
export async function payCredit(
  tx: Tx,
  scope: Scope,
  customerId: string,
  { method, amount, outletId }: CreditPaymentIn,
): Promise<CreditPayment> {
  await getCustomer(tx, scope, customerId)
  await getOutlet(tx, scope, outletId, 'outletId')
  const charges = await statements.lockOfCustomer(tx, scope, customerId)
  requireOwed(amount, sum(charges.map(({ open }) => open)))
  const paid = shareOverCharges(charges, amount)
  await statements.take(tx, scope, paid)
  const balance = await lowerCredit(tx, scope, { customerId, amount })
  assert(balance !== undefined, 'a customer with debt is never deleted')
  const shiftId = await shareBookingShift(tx, scope, { outletId, saleShiftId: null })
  const entry = await statements.insertEntry(tx, scope, {
    customerId,
    type: 'PAYMENT',
    amount: -amount,
    open: 0,
    balanceAfter: balance,
    outletId,
    shiftId,
    method,
  })
  await announce(tx, scope, entry)
  return {
    balance,
    entry,
    paid: paid.map(({ id, saleId, taken, open }) => ({
      entryId: id,
      saleId,
      amount: taken,
      open: open - taken,
    })),
  }
}

/** A text that reminds the customer of the debt, and the address that opens it in WhatsApp (B-credit-7). */
export async function remind(db: Db, scope: Scope, id: string, lang: 'id' | 'en'): Promise<CreditReminder> {
  const customer = await getCustomer(db, scope, id)
  const number = whatsappNumberOf(customer.phone)
  requireRemindable(customer.creditBalance, number)
  const { businessName } = await getSettings(db, scope)
  const text = reminderText(lang, {
    name: customer.name,
    shop: businessName,
    balance: customer.creditBalance,
    dueDate: await statements.earliestDue(db, scope, id),
  })
  return { text, url: `https://wa.me/${number}?text=${encodeURIComponent(text)}` }
}
