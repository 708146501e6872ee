/** What customers owe: sales on credit, payments of debts, statements and reminders */

export { customerCreditEvents } from './events.ts'
export { chargeCredit, lockCreditOfSale, reverseCredit } from './payments.ts'
export { customerCreditRoutes } from './routes.ts'
export { type ChargeShare, type OpenCharge, shareOverCharges } from './rules.ts'
