import { describe, expect, test } from 'vitest'
import type { Conditions, SaleFacts } from '../../src/core/conditions.ts'
import { listsFor, type PriceEntry, type PriceListRule, priceByLists } from '../../src/core/prices.ts'

const ANY: Conditions = {
  isActive: true,
  outletIds: null,
  orderTypes: null,
  channels: null,
  customerGroupIds: null,
  weekdays: null,
  from: null,
  to: null,
  startsAt: null,
  endsAt: null,
}
const entry = (fields: Partial<PriceEntry>): PriceEntry => ({
  variantId: null,
  categoryId: null,
  price: null,
  adjustBps: null,
  roundTo: null,
  ...fields,
})
const LATTE = { variantId: 'var_latte', categoryId: 'cat_coffee', price: 20_000 }
const listOf = (id: string, fields: Partial<PriceListRule>): PriceListRule => ({
  ...ANY,
  id,
  name: id,
  priority: 0,
  entries: [entry({ variantId: LATTE.variantId, price: 15_000 })],
  ...fields,
})
const SALE: SaleFacts = {
  outletId: 'out_1',
  timezone: 'Asia/Jakarta',
  orderType: null,
  channel: null,
  customerGroupIds: [],
}
/** 2026-11-23 is a Monday; Jakarta is seven hours ahead of UTC. */
const MONDAY_NOON = '2026-11-23T05:00:00.000Z'
const jakarta = (day: string, clock: string) => new Date(`${day}T${clock}:00+07:00`).toISOString()
const priceAt = (lists: readonly PriceListRule[], instant: string, sale: Partial<SaleFacts> = {}) =>
  priceByLists(listsFor(lists, { sale: { ...SALE, ...sale }, instant }), LATTE)
const hasList = (fields: Partial<PriceListRule>, instant: string, sale: Partial<SaleFacts> = {}) =>
  priceAt([listOf('prl_1', fields)], instant, sale).priceListId === 'prl_1'

describe('the price of goods', () => {
  test('is that of the catalogue without a list', () => {
    expect(priceAt([], MONDAY_NOON)).toEqual({ unitPrice: 20_000, priceListId: null })
  })

  test('is that of the list with the lowest priority, and of the older one on a tie, in any order of the lists', () => {
    const old = listOf('prl_01', { priority: 5, entries: [entry({ variantId: LATTE.variantId, price: 1 })] })
    const young = listOf('prl_02', {
      priority: 5,
      entries: [entry({ variantId: LATTE.variantId, price: 2 })],
    })
    const first = listOf('prl_03', {
      priority: -1,
      entries: [entry({ variantId: LATTE.variantId, price: 3 })],
    })
    expect(priceAt([young, old], MONDAY_NOON)).toEqual({ unitPrice: 1, priceListId: 'prl_01' })
    expect(priceAt([old, young], MONDAY_NOON)).toEqual({ unitPrice: 1, priceListId: 'prl_01' })
    expect(priceAt([old, young, first], MONDAY_NOON)).toEqual({ unitPrice: 3, priceListId: 'prl_03' })
    expect(priceAt([first, young, old], MONDAY_NOON)).toEqual({ unitPrice: 3, priceListId: 'prl_03' })
  })

  test('passes over a list without an entry for the goods', () => {
    const other = listOf('prl_01', { entries: [entry({ variantId: 'var_tea', price: 1 })] })
    const own = listOf('prl_02', { priority: 9 })
    expect(priceAt([other, own], MONDAY_NOON)).toEqual({ unitPrice: 15_000, priceListId: 'prl_02' })
  })

  test('takes the entry of the variant before that of its category', () => {
    const category = entry({ categoryId: 'cat_coffee', price: 12_000 })
    const both = listOf('prl_1', {
      entries: [category, entry({ variantId: LATTE.variantId, price: 15_000 })],
    })
    expect(priceAt([both], MONDAY_NOON).unitPrice).toBe(15_000)
    expect(priceAt([listOf('prl_1', { entries: [category] })], MONDAY_NOON).unitPrice).toBe(12_000)
  })

  test.each([
    [20_000, -1_000, null, 18_000],
    [20_000, 2_000, null, 24_000],
    [12_345, -1_000, null, 11_111], // 11,110.5 goes up
    [20_000, -333, 100, 19_300], // 19,334
    [20_000, -325, 100, 19_400], // 19,350 is half a step and goes up
    [12_500, -2_000, 500, 10_000],
    [1_000, -10_000, null, 0],
    [1_000_000_000, 100_000, null, 1_000_000_000],
  ])('%i adjusted by %i basis points and rounded to %s is %i', (price, adjustBps, roundTo, expected) => {
    const list = listOf('prl_1', { entries: [entry({ categoryId: 'cat_coffee', adjustBps, roundTo })] })
    const { unitPrice } = priceByLists([list], { ...LATTE, price })
    expect(unitPrice).toBe(expected)
  })

  test.each<[string, Partial<PriceListRule>, Partial<SaleFacts>, boolean]>([
    ['an inactive list', { isActive: false }, {}, false],
    ['another outlet', { outletIds: ['out_2'] }, {}, false],
    ['one of several outlets', { outletIds: ['out_2', 'out_1'] }, {}, true],
    ['no order type', { orderTypes: ['DINE_IN'] }, {}, false],
    ['the order type', { orderTypes: ['DINE_IN'] }, { orderType: 'DINE_IN' }, true],
    ['no channel', { channels: ['GOFOOD'] }, {}, false],
    ['the channel in another case', { channels: ['GoFood '] }, { channel: 'GOFOOD' }, true],
    ['another channel', { channels: ['GOFOOD'] }, { channel: 'GRAB' }, false],
    ['no customer', { customerGroupIds: ['cgr_1'] }, {}, false],
    [
      'a customer of the group',
      { customerGroupIds: ['cgr_1'] },
      { customerGroupIds: ['cgr_9', 'cgr_1'] },
      true,
    ],
    ['a customer of other groups', { customerGroupIds: ['cgr_1'] }, { customerGroupIds: ['cgr_9'] }, false],
  ])('%s decides whether a list applies', (_, fields, sale, applies) => {
    expect(hasList(fields, MONDAY_NOON, sale)).toBe(applies)
  })

  test.each<[string, Partial<PriceListRule>, string, boolean]>([
    ['at its start', { from: '15:00', to: '17:00' }, jakarta('2026-11-23', '15:00'), true],
    ['in its last minute', { from: '15:00', to: '17:00' }, jakarta('2026-11-23', '16:59'), true],
    ['at its end', { from: '15:00', to: '17:00' }, jakarta('2026-11-23', '17:00'), false],
    ['before it', { from: '15:00' }, jakarta('2026-11-23', '14:59'), false],
    ['until midnight without an end', { from: '15:00' }, jakarta('2026-11-23', '23:59'), true],
    ['from midnight without a start', { to: '09:00' }, jakarta('2026-11-23', '00:00'), true],
    ['until 24:00', { from: '22:00', to: '24:00' }, jakarta('2026-11-23', '23:59'), true],
    ['on its weekday', { weekdays: [1] }, jakarta('2026-11-23', '00:00'), true],
    ['on Sunday, which is 7', { weekdays: [7] }, jakarta('2026-11-22', '23:59'), true],
    ['on another weekday', { weekdays: [2, 7] }, jakarta('2026-11-23', '12:00'), false],
    // Monday 22:00 to Tuesday 02:00
    [
      'over midnight, before it',
      { weekdays: [1], from: '22:00', to: '02:00' },
      jakarta('2026-11-23', '22:00'),
      true,
    ],
    [
      'over midnight, after it',
      { weekdays: [1], from: '22:00', to: '02:00' },
      jakarta('2026-11-24', '01:59'),
      true,
    ],
    [
      'over midnight, at its end',
      { weekdays: [1], from: '22:00', to: '02:00' },
      jakarta('2026-11-24', '02:00'),
      false,
    ],
    [
      'over midnight, on the early morning of its own day',
      { weekdays: [1], from: '22:00', to: '02:00' },
      jakarta('2026-11-23', '01:00'),
      false,
    ],
    [
      'over midnight, on the next evening',
      { weekdays: [1], from: '22:00', to: '02:00' },
      jakarta('2026-11-24', '22:30'),
      false,
    ],
    ['at startsAt', { startsAt: '2026-11-23T05:00:00.000Z' }, MONDAY_NOON, true],
    ['before startsAt', { startsAt: '2026-11-23T05:00:00.001Z' }, MONDAY_NOON, false],
    ['before endsAt', { endsAt: '2026-11-23T05:00:00.001Z' }, MONDAY_NOON, true],
    ['at endsAt', { endsAt: '2026-11-23T05:00:00.000Z' }, MONDAY_NOON, false],
  ])('a window %s', (_, fields, instant, applies) => {
    expect(hasList(fields, instant)).toBe(applies)
  })

  test('the window is that of the time zone of the outlet', () => {
    const window = { weekdays: [2], from: '00:00', to: '01:00' }
    // 17:30 UTC on Monday is Tuesday 00:30 in Jakarta and 01:30 in Makassar.
    expect(hasList(window, '2026-11-23T17:30:00.000Z')).toBe(true)
    expect(hasList(window, '2026-11-23T17:30:00.000Z', { timezone: 'Asia/Makassar' })).toBe(false)
  })
})
