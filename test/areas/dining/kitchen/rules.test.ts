import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  advanceItem,
  advanceTicket,
  backItem,
  backTicket,
  isKitchenSale,
  isOnBoard,
  KITCHEN_STATES,
  type KitchenState,
  serveReady,
  ticketState,
} from '../../../../src/areas/dining/kitchen/rules.ts'

const conflict = expect.objectContaining({ status: 409, code: 'CONFLICT' })
const item = (kitchenStatus: KitchenState, isActive = true, id = 'i') => ({ id, kitchenStatus, isActive })
const items = (...states: KitchenState[]) => states.map((state, index) => item(state, true, `i${index}`))
const steps = (taken: { id: string; from: string; to: string }[]) =>
  taken.map((s) => `${s.id} ${s.from}>${s.to}`)

describe('one item', () => {
  test('steps NEW, PREPARING, READY, SERVED and back the same way', () => {
    expect((['NEW', 'PREPARING', 'READY'] as const).map((s) => advanceItem(item(s)))).toEqual([
      'PREPARING',
      'READY',
      'SERVED',
    ])
    expect((['SERVED', 'READY', 'PREPARING'] as const).map((s) => backItem(item(s)))).toEqual([
      'READY',
      'PREPARING',
      'NEW',
    ])
  })

  test('served does not advance, new does not go back, cancelled does neither: 409', () => {
    expect(() => advanceItem(item('SERVED'))).toThrow(conflict)
    expect(() => backItem(item('NEW'))).toThrow(conflict)
    expect(() => advanceItem(item('PREPARING', false))).toThrow(conflict)
    expect(() => backItem(item('PREPARING', false))).toThrow(conflict)
  })
})

describe('a ticket', () => {
  test.each([
    [items('READY', 'NEW', 'SERVED'), 'NEW', true],
    [items('READY', 'SERVED'), 'READY', true],
    [items('SERVED', 'SERVED'), 'SERVED', false],
    [[item('NEW', false), item('READY')], 'READY', true],
    [[item('NEW', false)], null, false],
    [[], null, false],
  ])('%j is %s, on the board %s', (all, state, onBoard) => {
    expect(ticketState(all)).toBe(state)
    expect(isOnBoard(all)).toBe(onBoard)
  })

  test('advances every active item one step and leaves served and cancelled ones', () => {
    const all = [...items('NEW', 'READY', 'SERVED'), item('NEW', false, 'gone')]
    expect(steps(advanceTicket(all))).toEqual(['i0 NEW>PREPARING', 'i1 READY>SERVED'])
  })

  test('goes back one step everywhere but on new items, also when fully served', () => {
    expect(steps(backTicket(items('NEW', 'READY', 'SERVED')))).toEqual([
      'i1 READY>PREPARING',
      'i2 SERVED>READY',
    ])
    expect(steps(backTicket(items('SERVED', 'SERVED')))).toEqual(['i0 SERVED>READY', 'i1 SERVED>READY'])
  })

  test('with no step left answers 409', () => {
    expect(() => advanceTicket(items('SERVED', 'SERVED'))).toThrow(conflict)
    expect(() => backTicket(items('NEW', 'NEW'))).toThrow(conflict)
    expect(() => advanceTicket([item('NEW', false)])).toThrow(conflict)
  })

  test('serves only what is ready, and answers 409 when nothing is', () => {
    expect(steps(serveReady(items('NEW', 'READY', 'SERVED', 'READY')))).toEqual([
      'i1 READY>SERVED',
      'i3 READY>SERVED',
    ])
    expect(() => serveReady(items('NEW', 'PREPARING', 'SERVED'))).toThrow(conflict)
    expect(() => serveReady([item('READY', false)])).toThrow(conflict)
  })

  test('advancing until nothing is left serves everything in at most three steps, and back undoes the last', () => {
    const anyTicket = fc.array(fc.constantFrom(...KITCHEN_STATES), { minLength: 1, maxLength: 6 })
    fc.assert(
      fc.property(anyTicket, (states) => {
        let all = items(...states)
        let rounds = 0
        while (isOnBoard(all)) {
          const moved = new Map(advanceTicket(all).map((s) => [s.id, s.to]))
          all = all.map((i) => ({ ...i, kitchenStatus: moved.get(i.id) ?? i.kitchenStatus }))
          rounds += 1
        }
        expect(rounds).toBeLessThanOrEqual(3)
        expect(ticketState(all)).toBe('SERVED')
        expect(backTicket(all)).toHaveLength(all.length)
      }),
    )
  })
})

test.each([
  ['DINE_IN', 'PARKED', true, true],
  ['TAKEAWAY', 'COMPLETED', true, true],
  ['DELIVERY', 'VOIDED', true, false],
  [null, 'PARKED', true, false],
  ['DINE_IN', 'PARKED', false, false],
])(
  'a sale of type %s that is %s, with active lines %s, is for the kitchen: %s',
  (orderType, status, isActive, expected) => {
    expect(isKitchenSale({ orderType, status, items: [{ isActive: false }, { isActive }] })).toBe(expected)
  },
)
