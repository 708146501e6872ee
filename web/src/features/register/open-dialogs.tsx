import { lazy, Suspense } from 'react'
import type { CartTotals } from './cart-totals.ts'
import type { Checkout } from './panel-props.ts'
import { useRegister } from './register-store.ts'

const GoodsDialog = lazy(() => import('./goods-dialog.tsx').then((file) => ({ default: file.GoodsDialog })))
const CustomerDialog = lazy(() =>
  import('./customer-dialog.tsx').then((file) => ({ default: file.CustomerDialog })),
)
const DiscountDialog = lazy(() =>
  import('./discount-dialog.tsx').then((file) => ({ default: file.DiscountDialog })),
)
const HoldDialog = lazy(() => import('./hold-dialog.tsx').then((file) => ({ default: file.HoldDialog })))
const BillsDialog = lazy(() => import('./bills-dialog.tsx').then((file) => ({ default: file.BillsDialog })))
const ConflictDialog = lazy(() =>
  import('./conflict-dialog.tsx').then((file) => ({ default: file.ConflictDialog })),
)
const KeyCard = lazy(() => import('./key-card.tsx').then((file) => ({ default: file.KeyCard })))

type OpenDialogsProps = { totals: CartTotals; checkout: Checkout }

/** The window over the register, if there is one. */
export function OpenDialogs({ totals, checkout }: OpenDialogsProps) {
  const { dialog, show } = useRegister()
  if (dialog === null) return null
  const close = () => show({ dialog: null })
  return (
    <Suspense>
      {dialog.kind === 'goods' && <GoodsDialog key={dialog.lineKey} {...dialog} onClose={close} />}
      {dialog.kind === 'discount' && <DiscountDialog totals={totals} onClose={close} />}
      {dialog.kind === 'customer' && <CustomerDialog onClose={close} />}
      {dialog.kind === 'hold' && <HoldDialog checkout={checkout} onClose={close} />}
      {dialog.kind === 'bills' && <BillsDialog onClose={close} />}
      {dialog.kind === 'conflict' && <ConflictDialog sale={dialog.sale} onClose={close} />}
      {dialog.kind === 'keys' && <KeyCard onClose={close} />}
    </Suspense>
  )
}
