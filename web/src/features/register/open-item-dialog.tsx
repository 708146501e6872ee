import { type FormEvent, useState } from 'react'
import { MAX_PRICE } from '../../core.ts'
import { addGoods, changeLine, type Goods } from '../../selling/cart.ts'
import { useCart } from '../../selling/cart-store.ts'
import { grossOf } from '../../selling/cart-totals.ts'
import { useRegister } from '../../selling/register-store.ts'
import { useCounterTexts } from '../../texts/counter/texts.ts'
import { useTexts } from '../../texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { MoneyField } from '../../ui/money-field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { formatRupiah } from '../../ui/rupiah.ts'
import { Stepper } from '../../ui/stepper.tsx'

type OpenItemDialogProps = {
  /** The line to change; null adds a new one. */
  lineKey: number | null
  quantity: number
  onClose(): void
}

/**
 * Name, price and quantity of goods that are not in the catalogue (B-openitem-1). They have the tax rate of the
 * outlet.
 */
export function OpenItemDialog({ lineKey, quantity: start, onClose }: OpenItemDialogProps) {
  const t = useTexts()
  const c = useCounterTexts()
  const line = useCart((cart) => cart.lines.find(({ key }) => key === lineKey))
  const change = useCart((cart) => cart.change)
  const [name, setName] = useState(line?.name ?? '')
  const [price, setPrice] = useState<number | null>(line?.unitPrice ?? null)
  const [note, setNote] = useState(line?.note ?? '')
  const [off, setOff] = useState(line?.discount?.kind === 'amount' ? line.discount.value : null)
  const [quantity, setQuantity] = useState(start)
  const isTooDear = price !== null && price > MAX_PRICE
  const isComplete = name.trim() !== '' && price !== null && !isTooDear
  const save = (event?: FormEvent) => {
    event?.preventDefault()
    if (!isComplete) return
    const goods: Goods = {
      variantId: null,
      productId: null,
      name: name.trim(),
      variantName: '',
      unitPrice: price,
      taxRateBps: line?.taxRateBps ?? null,
      modifiers: line?.modifiers ?? [],
      note: note.trim(),
    }
    const discount = off ? { kind: 'amount' as const, value: off } : null
    change((cart) => {
      if (lineKey !== null) return changeLine(cart, lineKey, { ...goods, quantity, discount })
      const added = addGoods(cart, goods, quantity)
      return discount === null || added.selected === null
        ? added
        : changeLine(added, added.selected, { discount })
    })
    useRegister.getState().show({ quantity: null })
    onClose()
  }
  const gross = grossOf({
    quantity,
    unitPrice: isTooDear ? 0 : (price ?? 0),
    modifiers: line?.modifiers ?? [],
  })
  return (
    <Dialog
      title={t('openItem')}
      onClose={onClose}
      actions={
        <>
          <Stepper value={quantity} onValue={setQuantity} less={t('line.less')} more={t('line.more')} />
          <Button
            look="primary"
            size="large"
            className="flex-1"
            disabled={!isComplete}
            onClick={() => save()}
          >
            {t(lineKey === null ? 'goods.add' : 'goods.save')}
            <span className="tabular-nums">{formatRupiah(Math.max(0, gross - (off ?? 0)))}</span>
          </Button>
        </>
      }
    >
      <form className="grid gap-4" onSubmit={save}>
        <Field
          label={t('openItem.name')}
          hint={t('openItem.hint')}
          value={name}
          maxLength={120}
          autoComplete="off"
          onChange={({ target }) => setName(target.value)}
        />
        <MoneyField label={t('product.price')} value={price} onValue={setPrice} isLarge />
        {isTooDear && <Notice text={c('openItem.tooDear', { max: formatRupiah(MAX_PRICE) })} />}
        <Field
          label={t('goods.note')}
          value={note}
          maxLength={300}
          onChange={({ target }) => setNote(target.value)}
        />
        <MoneyField label={t('discount.line')} value={off} onValue={setOff} />
        <button type="submit" hidden>
          {t('goods.save')}
        </button>
      </form>
    </Dialog>
  )
}
