import type { Pack, Variant } from 'kasir-client'
import { useState } from 'react'
import type { LabelledWeight } from '../../core.ts'
import { useShop } from '../../offline/shop.ts'
import { addGoods, addLine, changeLine, type Goods } from '../../selling/cart.ts'
import { pricedFor, useCart } from '../../selling/cart-store.ts'
import { discountOf, grossOf } from '../../selling/cart-totals.ts'
import { isWeighedLine } from '../../selling/quantity.ts'
import { goodsOf, isChoiceComplete, type Tile } from '../../selling/shelf.ts'
import { WeightField } from '../../selling/weight-field.tsx'
import { useCounterTexts } from '../../texts/counter/texts.ts'
import { useTexts } from '../../texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Choice } from '../../ui/choice.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { MoneyField } from '../../ui/money-field.tsx'
import { formatRupiah } from '../../ui/rupiah.ts'
import { Stepper } from '../../ui/stepper.tsx'
import {
  chosenIn,
  groupsFor,
  heldIn,
  hintOf,
  isSameGoods,
  labelKept,
  packsFor,
  priceOf,
  UNIT,
} from './goods-choice.ts'
import { UnitChoice } from './unit-choice.tsx'

/** The price for the sale that is rung up, by the price lists. */
const priceNow = (goods: Goods): number => pricedFor(useCart.getState(), goods).unitPrice

type GoodsDialogProps = {
  tile: Tile
  variant: Variant | null
  /** The scanned pack. */
  pack?: Pack | null | undefined
  /** The scanned label of a scale. */
  label?: LabelledWeight | undefined
  /** The line to change; null adds a new one. */
  lineKey: number | null
  quantity: number
  onClose(): void
}

/** Variant, modifiers, quantity, note and discount of a product to sell, or of a line of the cart. */
export function GoodsDialog(props: GoodsDialogProps) {
  const { tile, variant: given, pack: scanned, label, lineKey, quantity: start, onClose } = props
  const t = useTexts()
  const goneName = useCounterTexts()('modifiers.gone')
  const line = useCart((cart) => cart.lines.find(({ key }) => key === lineKey))
  const change = useCart((cart) => cart.change)
  const [variantId, setVariant] = useState(
    given?.id ?? (tile.variants.length === 1 ? tile.variants[0]?.id : undefined),
  )
  const [groups] = useState(() => groupsFor(tile, useShop.getState().groups, line?.modifiers ?? [], goneName))
  const [chosen, setChosen] = useState<ReadonlySet<string>>(() => heldIn(groups))
  const [count, setCount] = useState(start)
  const [grams, setGrams] = useState(line && isWeighedLine(line) ? start : (label?.quantity ?? null))
  const [note, setNote] = useState(line?.note ?? '')
  const [off, setOff] = useState(line?.discount?.kind === 'amount' ? line.discount.value : null)
  const variant = tile.variants.find(({ id }) => id === variantId)
  const [packId, setPack] = useState(line?.pack?.id ?? scanned?.id ?? UNIT)
  const packs = packsFor(variant, line)
  const pack = packs.find(({ id }) => id === packId) ?? null
  const modifiers = chosenIn(groups, chosen)
  const weighed = variant !== undefined && isWeighedLine({ soldBy: variant.soldBy, pack })
  const quantity = weighed ? grams : count
  const isComplete = variant !== undefined && quantity !== null && isChoiceComplete(groups, chosen)
  const labelPrice = labelKept(line ?? label, { variant, pack, quantity, modifiers })
  const goods = variant && {
    ...goodsOf(tile, variant, { modifiers, note: note.trim(), pack }),
    ...(line ? priceOf(line, variant, pack) : {}),
    labelPrice,
  }
  // Another variant or pack has the price of today's price list.
  const priced = goods && (line && isSameGoods(line, goods) ? goods : pricedFor(useCart.getState(), goods))
  const save = () => {
    if (!isComplete || priced === undefined) return
    const discount = off ? { kind: 'amount' as const, value: off } : null
    change((cart) => {
      if (lineKey !== null) return changeLine(cart, lineKey, { ...priced, quantity, discount })
      const addNew = labelPrice === null ? addGoods : addLine
      const added = addNew(cart, priced, quantity)
      return discount === null || added.selected === null
        ? added
        : changeLine(added, added.selected, { discount })
    })
    onClose()
  }
  const gross = priced ? grossOf({ ...priced, quantity: quantity ?? 0 }) : 0
  return (
    <Dialog
      title={tile.product.name}
      onClose={onClose}
      actions={
        <>
          {!weighed && (
            <Stepper value={count} onValue={setCount} less={t('line.less')} more={t('line.more')} />
          )}
          <Button look="primary" size="large" className="flex-1" disabled={!isComplete} onClick={save}>
            {t(lineKey === null ? 'goods.add' : 'goods.save')}
            <span className="tabular-nums">
              {formatRupiah(gross - discountOf(off ? { kind: 'amount', value: off } : null, gross))}
            </span>
          </Button>
        </>
      }
    >
      <div className="grid gap-5">
        {tile.variants.length > 1 && (
          <Choice
            label={t('goods.variant')}
            hint={t('goods.pickOne')}
            options={tile.variants.map((each) => ({ ...each, price: priceNow(goodsOf(tile, each)) }))}
            min={1}
            max={1}
            chosen={new Set(variantId === undefined ? [] : [variantId])}
            onChoose={(ids) => setVariant([...ids][0])}
          />
        )}
        {variant !== undefined && (
          <UnitChoice
            packs={packs}
            chosen={pack}
            priceOf={(each) => priceNow(goodsOf(tile, variant, { pack: each }))}
            onChoose={setPack}
          />
        )}
        {weighed && <WeightField grams={grams} onGrams={setGrams} />}
        {groups.map((group) => (
          <Choice
            key={group.id}
            label={group.name}
            hint={hintOf(group, t)}
            options={group.modifiers}
            min={group.minSelect}
            max={group.maxSelect}
            chosen={chosen}
            onChoose={setChosen}
          />
        ))}
        <Field
          label={t('goods.note')}
          value={note}
          maxLength={300}
          onChange={({ target }) => setNote(target.value)}
        />
        <MoneyField label={t('goods.discount')} value={off} onValue={setOff} />
      </div>
    </Dialog>
  )
}
