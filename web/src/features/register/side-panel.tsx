import { useRegister } from '../../selling/register-store.ts'
import { CartPanel } from './cart-panel.tsx'
import { DonePanel } from './done-panel.tsx'
import type { PanelProps } from './panel-props.ts'
import { PayPanel } from './pay-panel.tsx'

/** The right side: the cart, then the payment, then the change. Their main button is always in the same place. */
export function SidePanel(props: PanelProps) {
  const { panel, done } = useRegister()
  if (done !== null) return <DonePanel done={done} />
  return panel === 'pay' ? <PayPanel {...props} /> : <CartPanel {...props} />
}
