import type { Outlet } from 'kasir-client'
import type { CartTotals } from '../../selling/cart-totals.ts'
import type { useCheckout } from './use-checkout.ts'

export type Checkout = ReturnType<typeof useCheckout>
export type PanelProps = { totals: CartTotals; checkout: Checkout; outlet: Outlet | undefined }
