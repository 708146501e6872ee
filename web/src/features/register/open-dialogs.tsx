import type { CartTotals } from '../../selling/cart-totals.ts'
import { useRegister } from '../../selling/register-store.ts'
import { lazyPart } from '../../ui/lazy-part.tsx'
import type { Checkout } from './panel-props.ts'

const GoodsDialog = lazyPart(() => import('./goods-dialog.tsx').then((file) => file.GoodsDialog))
const CreateProduct = lazyPart(() => import('./create-product.tsx').then((file) => file.CreateProduct))
const CustomerDialog = lazyPart(() => import('./customer-dialog.tsx').then((file) => file.CustomerDialog))
const DiscountDialog = lazyPart(() => import('./discount-dialog.tsx').then((file) => file.DiscountDialog))
const HoldDialog = lazyPart(() => import('./hold-dialog.tsx').then((file) => file.HoldDialog))
const BillsDialog = lazyPart(() => import('./bills-dialog.tsx').then((file) => file.BillsDialog))
const ConflictDialog = lazyPart(() => import('./conflict-dialog.tsx').then((file) => file.ConflictDialog))
const OpenItemDialog = lazyPart(() => import('./open-item-dialog.tsx').then((file) => file.OpenItemDialog))
const SplitDialog = lazyPart(() => import('./split-dialog.tsx').then((file) => file.SplitDialog))
const MergeDialog = lazyPart(() => import('./merge-dialog.tsx').then((file) => file.MergeDialog))
const KeyCard = lazyPart(() => import('./key-card.tsx').then((file) => file.KeyCard))

type OpenDialogsProps = { totals: CartTotals; checkout: Checkout }

/** The window over the register, if there is one. */
export function OpenDialogs({ totals, checkout }: OpenDialogsProps) {
  const { dialog, show } = useRegister()
  if (dialog === null) return null
  const close = () => show({ dialog: null })
  return (
    <>
      {dialog.kind === 'goods' && <GoodsDialog key={dialog.lineKey} {...dialog} onClose={close} />}
      {dialog.kind === 'openItem' && <OpenItemDialog key={dialog.lineKey} {...dialog} onClose={close} />}
      {dialog.kind === 'create' && <CreateProduct barcode={dialog.barcode} onClose={close} />}
      {dialog.kind === 'discount' && <DiscountDialog totals={totals} onClose={close} />}
      {dialog.kind === 'customer' && <CustomerDialog onClose={close} />}
      {dialog.kind === 'hold' && <HoldDialog checkout={checkout} onClose={close} />}
      {dialog.kind === 'bills' && <BillsDialog onClose={close} />}
      {dialog.kind === 'conflict' && <ConflictDialog sale={dialog.sale} onClose={close} />}
      {dialog.kind === 'split' && <SplitDialog totals={totals} onClose={close} />}
      {dialog.kind === 'merge' && <MergeDialog totals={totals} onClose={close} />}
      {dialog.kind === 'keys' && <KeyCard onClose={close} />}
    </>
  )
}
