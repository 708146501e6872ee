import type { Settings, Variant } from 'kasir-client'
import { type LabelledWeight, readScaleBarcode, weighLabel } from '../core.ts'
import { addLine, MAX_LINES, MAX_QUANTITY } from './cart.ts'
import { pricedFor, useCart } from './cart-store.ts'
import { type LabelRefusal, ring, useRegister } from './register-store.ts'
import { barcodesOf, goodsOf, type Shelf, type Tile } from './shelf.ts'

type Weighed = { tile: Tile; variant: Variant }

/** The weighed goods by the code on a scale: a barcode wins over a stock number. */
function weighedBy({ tiles }: Shelf, code: string): Weighed | undefined {
  const weighed = tiles.flatMap((tile) =>
    tile.variants.filter(({ soldBy }) => soldBy === 'WEIGHT').map((variant) => ({ tile, variant })),
  )
  return (
    weighed.find(({ variant }) => barcodesOf(variant).includes(code)) ??
    weighed.find(({ variant }) => variant.sku === code)
  )
}

/** Sells the label of a scale by the rule of the service (B-scale-2). Returns why it sold nothing, or null. */
function sellWeighed(
  shelf: Shelf,
  code: string,
  formats: Settings['scaleBarcodes'],
): LabelRefusal | null | 'UNREADABLE' {
  const label = readScaleBarcode(code, formats)
  if (label === null) return 'UNREADABLE'
  const found = weighedBy(shelf, label.itemCode)
  if (found === undefined) return { kind: 'NOT_FOUND', goods: label.itemCode }
  const goods = found.tile.product.name
  const weight = weighLabel(label, found.variant.price)
  if (typeof weight === 'string') return { kind: weight, goods }
  if (weight.quantity > MAX_QUANTITY) return { kind: 'TOO_HEAVY', goods }
  ring((count) => addWeighed(found, weight, count))
  return null
}

function addWeighed({ tile, variant }: Weighed, label: LabelledWeight, count: number) {
  const { quantity, labelPrice } = label
  if (tile.groups.some(({ minSelect }) => minSelect > 0)) {
    useRegister
      .getState()
      .show({ dialog: { kind: 'goods', tile, variant, lineKey: null, quantity: 1, label } })
    return
  }
  const goods = { ...goodsOf(tile, variant), labelPrice }
  useCart.getState().change((cart) => {
    let added = cart
    // `3*` before a label: three packs that weigh the same. The cart refuses more than MAX_LINES.
    for (let pack = 0; pack < Math.min(count, MAX_LINES + 1); pack += 1)
      added = addLine(added, pricedFor(added, goods), quantity)
    return added
  })
}

/** Sells the label of a scale. A label that sells nothing is shown with its reason; returns false then. */
export function sellLabel(shelf: Shelf, code: string, formats: Settings['scaleBarcodes']): boolean {
  const refusal = sellWeighed(shelf, code, formats)
  if (refusal === null) return true
  const unknownCode = refusal === 'UNREADABLE' ? code : null
  const labelRefusal = refusal === 'UNREADABLE' ? null : refusal
  useRegister.getState().show({ unknownCode, labelRefusal, query: '' })
  return false
}
