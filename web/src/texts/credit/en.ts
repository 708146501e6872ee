import type { creditId } from './id.ts'

/** Credit of customers at the register and in the shift, in English. */
export const creditEn: Readonly<Record<keyof typeof creditId, string>> = {
  left: '{left} left of {limit}',
  over: 'The limit leaves {left}. Take the rest another way, or ask a manager to raise the limit.',
  offline: 'Credit needs a connection: the service checks the limit of the customer.',
  take: 'Put {amount} on credit',
  dueDate: 'Due date',
  paid: 'Debts paid',
}
