import { productsCreate } from 'kasir-client'
import { useState } from 'react'
import { call } from '../../app/service.ts'
import { newKey } from '../../offline/key.ts'
import { useShop } from '../../offline/shop.ts'
import { pick, useRegister } from '../../selling/register-store.ts'
import { shelfOf } from '../../selling/shelf.ts'
import { useTexts } from '../../texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Field } from '../../ui/field.tsx'
import { MoneyField } from '../../ui/money-field.tsx'

/** Creates a product for a scanned barcode and puts one into the cart. */
export function CreateProduct({ barcode, onClose }: { barcode: string; onClose(): void }) {
  const t = useTexts()
  const [name, setName] = useState('')
  const [price, setPrice] = useState<number | null>(null)
  const [error, setError] = useState<unknown>(null)
  const [idempotencyKey] = useState(newKey)
  const isOpen = () => {
    const { dialog } = useRegister.getState()
    return dialog?.kind === 'create' && dialog.barcode === barcode
  }
  const create = async () => {
    if (name.trim() === '' || price === null) return
    try {
      const { categoryId: chosenId } = useRegister.getState()
      const { categories } = shelfOf(useShop.getState())
      const categoryId = categories.find(({ id }) => id === chosenId)?.id ?? null
      const body = { name: name.trim(), categoryId, variants: [{ name: 'Default', barcode, price }] }
      const { product } = await call(productsCreate, body, { idempotencyKey })
      await useShop.getState().refresh()
      const tile = shelfOf(useShop.getState()).tiles.find((each) => each.product.id === product.id)
      // Meanwhile the form may be closed, and the next sale may have begun.
      if (!isOpen()) return
      onClose()
      if (tile) pick(tile)
    } catch (caught) {
      setError(caught)
    }
  }
  return (
    <Dialog
      title={t('unknownCode.title')}
      onClose={onClose}
      actions={
        <Button
          look="primary"
          size="large"
          className="flex-1"
          disabled={name.trim() === '' || price === null}
          onClick={() => void create()}
        >
          {t('unknownCode.save')}
        </Button>
      }
    >
      <div className="grid gap-4">
        <p className="text-muted">{barcode}</p>
        <Field
          label={t('product.name')}
          value={name}
          maxLength={200}
          onChange={({ target }) => setName(target.value)}
        />
        <MoneyField label={t('product.price')} value={price} onValue={setPrice} />
        <Failure error={error} />
      </div>
    </Dialog>
  )
}
