import { expect, test } from 'vitest'
import { nearest } from '../../src/core/suggest.ts'

const REFUND = ['lines', 'amount', 'restock', 'refundToStoreCredit', 'method', 'reason']

test.each([
  ['ammount', 'amount'],
  ['amout', 'amount'],
  ['amuont', 'amount'],
  ['Amount', 'amount'],
  ['items', 'lines'],
  ['refund_to_store_credit', 'refundToStoreCredit'],
  ['refundToStoreCredits', 'refundToStoreCredit'],
  ['storeCredit', 'refundToStoreCredit'],
  ['metod', 'method'],
  ['note', 'reason'],
])('%s was probably meant as %s', (word, meant) => {
  expect(nearest(word, REFUND)).toBe(meant)
})

test.each(['colour', 'x', '', '__', 'total', 'a'.repeat(65), '金額'])('%j is near nothing', (word) => {
  expect(nearest(word, REFUND)).toBeNull()
})

test('the nearest of two wins, and the first of two equally near', () => {
  expect(nearest('statu', ['stats', 'status'])).toBe('stats')
  expect(nearest('nam', ['game', 'name'])).toBe('name')
})

test('a word that two candidates hold is a hint for neither', () => {
  expect(nearest('discount', ['orderDiscount', 'discountCode'])).toBeNull()
})
