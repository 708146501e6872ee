import { describe, expect, it } from 'vitest'
import { fieldsInConflict, withStoredIds } from '../../../web/src/office/form/record-changes.ts'

const small = { id: 'var_1', name: 'Kecil', price: 10_000, packs: [] }
const large = { name: 'Besar', price: 14_000, packs: [] }
const pack = { name: 'Dus', factor: 12 }
const storedLarge = { id: 'var_2', ...large }
const storedPack = { id: 'pck_1', ...pack }
type Form = { name: string; variants: { id?: string; name: string; price: number; packs: object[] }[] }
const form = (...variants: Form['variants']): Form => ({ name: 'Teh', variants })

/** The fields in conflict once the typed rows have the ids of the stored ones. */
const conflicts = (seen: Form, typed: Form, stored: Form) =>
  fieldsInConflict(seen, withStoredIds(typed, stored), stored)

describe('the conflict check of a form whose rows were saved already', () => {
  it('gives a new row the id of the stored row with the same content, and finds no conflict', () => {
    const stored = form(small, storedLarge)
    expect(withStoredIds(form(small, large), stored)).toEqual(stored)
    expect(conflicts(form(small), form(small, large), stored)).toEqual([])
  })

  it('gives a new pack its id, in a variant that was there and in a new one', () => {
    const typed = form({ ...small, packs: [pack] }, { ...large, packs: [pack] })
    const stored = form({ ...small, packs: [storedPack] }, { ...storedLarge, packs: [storedPack] })
    expect(withStoredIds(typed, stored)).toEqual(stored)
    expect(conflicts(form(small), typed, stored)).toEqual([])
  })

  it('gives one stored row to one of two equal new rows', () => {
    expect(withStoredIds(form(large, large), form(storedLarge))).toEqual(form(storedLarge, large))
  })

  it('finds no conflict where a save stopped between its rows', () => {
    const other = { ...large, name: 'Jumbo' }
    expect(conflicts(form(small), form(small, large, other), form(small, storedLarge))).toEqual([])
    const cheaper = { ...small, price: 9_000 }
    expect(conflicts(form(small), form(cheaper, large), form(cheaper))).toEqual([])
    expect(conflicts(form(small, storedLarge), form(large), form(storedLarge))).toEqual([])
  })
})

describe('the conflict check of a form that another person changed', () => {
  it('finds a row that they added, changed or removed', () => {
    const typed = form(small, large)
    const foreign = { id: 'var_9', name: 'Mini', price: 5_000, packs: [] }
    expect(conflicts(form(small), typed, form(small, storedLarge, foreign))).toEqual(['variants'])
    expect(conflicts(form(small), typed, form({ ...small, price: 1 }, storedLarge))).toEqual(['variants'])
    expect(conflicts(form(small), typed, form(storedLarge))).toEqual(['variants'])
    expect(conflicts(form(small), typed, form(small, { ...storedLarge, price: 1 }))).toEqual(['variants'])
  })

  it('finds a field that they changed, unless the same is typed here', () => {
    const [seen, stored] = [form(small), { ...form(small), name: 'Teh Poci' }]
    expect(conflicts(seen, { ...seen, name: 'Teh Tarik' }, stored)).toEqual(['name'])
    expect(conflicts(seen, { ...seen, name: 'Teh Poci' }, stored)).toEqual([])
  })

  it('finds rows without an id that differ', () => {
    const items = (qty: number) => ({ items: [{ variantId: 'var_1', qty }] })
    expect(fieldsInConflict(items(1), items(2), items(3))).toEqual(['items'])
    expect(withStoredIds(items(2), items(3))).toEqual(items(2))
  })
})
