import { useCart } from '../../selling/cart-store.ts'
import { useRegister } from '../../selling/register-store.ts'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { CartPanel } from './cart-panel.tsx'
import { DonePanel } from './done-panel.tsx'
import type { PanelProps } from './panel-props.ts'
import { PayPanel } from './pay-panel.tsx'

const CodePanel = lazyPart(() => import('./code-panel.tsx').then((file) => file.CodePanel))

/** The right side: the cart, then the payment, then the change. Their main button is always in the same place. */
export function SidePanel(props: PanelProps) {
  const { panel, done } = useRegister()
  const code = useCart((cart) => cart.code)
  if (code !== null) return <CodePanel code={code} />
  if (done !== null) return <DonePanel done={done} />
  return panel === 'pay' ? <PayPanel {...props} /> : <CartPanel {...props} />
}
