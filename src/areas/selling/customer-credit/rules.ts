import { conflict, invalid } from '../../../core/errors.ts'

/** A charge that is not fully paid; rupiah. */
export type OpenCharge = {
  id: string
  customerId: string
  saleId: string | null
  paymentId: string | null
  open: number
}
/** A charge with the part of an amount that it takes. */
export type ChargeShare = OpenCharge & { taken: number }

/** Shares an amount over charges in their order. Leaves out the rest of an amount that exceeds them. */
export function shareOverCharges(charges: readonly OpenCharge[], amount: number): ChargeShare[] {
  let left = amount
  return charges.flatMap((charge) => {
    const taken = Math.min(left, charge.open)
    left -= taken
    return taken === 0 ? [] : [{ ...charge, taken }]
  })
}

/** Throws 422 param `amount` for a payment above what the customer owes (B-credit-4). */
export function requireOwed(amount: number, owed: number): void {
  if (amount <= owed) return
  throw invalid(
    'amount',
    owed === 0
      ? 'The customer owes nothing. Take no payment'
      : `The customer owes ${owed}. Take at most that amount`,
  )
}

const TEXTS = {
  id: {
    greeting: (name: string) => `Halo ${name},`,
    owed: (shop: string, amount: string) => `sisa kasbon Anda di ${shop} adalah Rp ${amount}.`,
    due: (day: string) => `Jatuh tempo terdekat: ${day}.`,
    thanks: 'Terima kasih.',
  },
  en: {
    greeting: (name: string) => `Hello ${name},`,
    owed: (shop: string, amount: string) => `you owe ${shop} Rp ${amount}.`,
    due: (day: string) => `The earliest due date is ${day}.`,
    thanks: 'Thank you.',
  },
} as const

/** The text that reminds a customer of a debt (B-credit-7). */
export function reminderText(
  lang: keyof typeof TEXTS,
  { name, shop, balance, dueDate }: { name: string; shop: string; balance: number; dueDate: string | null },
): string {
  const texts = TEXTS[lang]
  const amount = balance.toLocaleString(lang === 'id' ? 'id-ID' : 'en-US')
  return [
    texts.greeting(name),
    texts.owed(shop, amount),
    ...(dueDate === null ? [] : [texts.due(dueDate)]),
    texts.thanks,
  ].join(' ')
}

/** Throws 409 if there is no debt of which to remind, or no phone number to which to write. */
export function requireRemindable(balance: number, number: string | null): asserts number is string {
  if (balance === 0) throw conflict('The customer owes nothing, so there is nothing to remind of')
  if (number === null) throw conflict('The customer has no valid phone number. Add one to the record')
}
