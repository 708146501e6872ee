import { useCart } from '../../selling/cart-store.ts'
import { useTexts } from '../../texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Field } from '../../ui/field.tsx'
import type { Checkout } from './panel-props.ts'

/** Holds the cart as an open bill, under a name that finds it again. */
export function HoldDialog({ checkout, onClose }: { checkout: Checkout; onClose(): void }) {
  const t = useTexts()
  const { note, change, attempt } = useCart()
  return (
    <Dialog
      title={t('hold.title')}
      onClose={onClose}
      actions={
        <Button
          look="primary"
          size="large"
          className="flex-1"
          disabled={checkout.isBusy}
          onClick={attempt === null ? checkout.hold : checkout.retry}
        >
          {t(attempt !== null && !checkout.isBusy ? 'retry' : 'hold.save')}
        </Button>
      }
    >
      <form
        className="grid gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          checkout.hold()
        }}
      >
        <Field
          label={t('hold.name')}
          hint={t('hold.hint')}
          value={note}
          maxLength={200}
          onChange={({ target }) => change((cart) => ({ ...cart, note: target.value }))}
        />
        <Failure error={checkout.error} />
      </form>
    </Dialog>
  )
}
