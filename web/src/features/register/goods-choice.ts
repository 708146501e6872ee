import type { ModifierGroup, Pack, Variant } from 'kasir-client'
import type { CartLine, CartModifier } from '../../selling/cart.ts'
import { packPriceOf, type Tile } from '../../selling/shelf.ts'
import type { Translate } from '../../texts/texts.ts'

/** The unit of the variant itself, not a pack. */
export const UNIT = ''

/** Goods of a cart differ by variant and pack. */
type GoodsKey = { variantId: string | null; pack?: { id: string } | null }

/** Whether both are the same variant in the same pack. */
export const isSameGoods = (one: GoodsKey, other: GoodsKey): boolean =>
  one.variantId === other.variantId && (one.pack?.id ?? null) === (other.pack?.id ?? null)

/** A line keeps its price, unless another variant or pack is chosen. */
export function priceOf(line: CartLine, variant: Variant, pack: Pack | null) {
  const { unitPrice, basePrice, priceListId } = line
  return isSameGoods(line, { variantId: variant.id, pack })
    ? { unitPrice, basePrice: basePrice ?? null, priceListId: priceListId ?? null }
    : { unitPrice: packPriceOf(variant, pack) }
}

type LabelledLine = { quantity: number; labelPrice?: number | null } & Partial<GoodsKey>
type GoodsChoice = {
  variant: Variant | undefined
  pack: Pack | null
  quantity: number | null
  modifiers: readonly CartModifier[]
}

/** The price of a label, as long as goods and weight are those of the label and no modifier costs more (B-weight-3). */
export function labelKept(labelled: LabelledLine | undefined, chosen: GoodsChoice): number | null {
  const { variantId, labelPrice = null } = labelled ?? {}
  const { variant, pack, quantity, modifiers } = chosen
  const isKept =
    pack === null &&
    labelled?.quantity === quantity &&
    (variantId === undefined || variantId === variant?.id) &&
    modifiers.every(({ price }) => price === 0)
  return isKept ? labelPrice : null
}

/** The packs of a variant. A line keeps a pack that was removed, at its own price. */
export function packsFor(variant: Variant | undefined, line: CartLine | undefined): readonly Pack[] {
  const packs = variant?.packs ?? []
  const held = line?.variantId === variant?.id ? line?.pack : null
  if (!line || !held || packs.some(({ id }) => id === held.id)) return packs
  return [...packs, { ...held, barcode: null, price: line.unitPrice }]
}

/** `isHeld`: the line has it already, and keeps its name and price. */
type ModifierOption = CartModifier & { id: string; isHeld: boolean }
type ChoiceGroup = Pick<ModifierGroup, 'id' | 'name' | 'minSelect' | 'maxSelect'> & {
  modifiers: readonly ModifierOption[]
}

/**
 * The groups to choose from. A line keeps modifiers that are no longer sold: those that were switched off stay in their
 * group, and the others are a group of their own, named `otherName`. `groups` are all of the shop.
 */
export function groupsFor(
  tile: Tile,
  groups: readonly ModifierGroup[],
  held: readonly CartModifier[],
  otherName: string,
): readonly ChoiceGroup[] {
  const heldAs = (id: string) => held.find(({ modifierId }) => modifierId === id)
  const own = tile.groups.map((group): ChoiceGroup => {
    const all = groups.find(({ id }) => id === group.id)?.modifiers ?? []
    const off = all.filter(({ id, isActive }) => !isActive && heldAs(id))
    const modifiers = [...group.modifiers, ...off].map(({ id, name, price }) => {
      const known = heldAs(id)
      return { ...(known ?? { modifierId: id, name, price }), id, isHeld: known !== undefined }
    })
    return { ...group, modifiers }
  })
  const ids = new Set(own.flatMap(({ modifiers }) => modifiers.map(({ id }) => id)))
  const others = held
    .filter(({ modifierId }) => modifierId === null || !ids.has(modifierId))
    .map((modifier, at) => ({ ...modifier, id: `held-${at}`, isHeld: true }))
  const other = { id: 'held', name: otherName, minSelect: 0, maxSelect: null, modifiers: others }
  return others.length === 0 ? own : [...own, other]
}

const optionsIn = (groups: readonly ChoiceGroup[]) => groups.flatMap(({ modifiers }) => modifiers)

export const heldIn = (groups: readonly ChoiceGroup[]): ReadonlySet<string> =>
  new Set(
    optionsIn(groups)
      .filter(({ isHeld }) => isHeld)
      .map(({ id }) => id),
  )

export const chosenIn = (groups: readonly ChoiceGroup[], chosen: ReadonlySet<string>): CartModifier[] =>
  optionsIn(groups)
    .filter(({ id }) => chosen.has(id))
    .map(({ modifierId, name, price }) => ({ modifierId, name, price }))

export function hintOf({ minSelect, maxSelect }: ChoiceGroup, t: Translate): string {
  if (minSelect === 1 && maxSelect === 1) return t('goods.pickOne')
  if (minSelect === 0) return maxSelect === null ? t('goods.pickAny') : t('goods.pickUpTo', { n: maxSelect })
  if (maxSelect === null) return t('goods.pickAtLeast', { n: minSelect })
  return t('goods.pickBetween', { min: minSelect, max: maxSelect })
}
