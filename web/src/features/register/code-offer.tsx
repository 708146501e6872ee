import { useQuery } from '@tanstack/react-query'
import { modulesList } from 'kasir-client'
import { QrCode } from 'lucide-react'
import { useIsOnline } from '../../app/line.ts'
import { call } from '../../app/service.ts'
import { useCart } from '../../selling/cart-store.ts'
import { useTexts } from '../../texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import type { Checkout } from './panel-props.ts'

/**
 * If the payment module is on, offers a QR code that the customer pays, instead of a payment that the cashier checks.
 */
export function CodeOffer({ checkout, isPart }: { checkout: Checkout; isPart: boolean }) {
  const t = useTexts()
  const isOnline = useIsOnline()
  const isCorrection = useCart((cart) => cart.correction !== null)
  const isStuck = useCart((cart) => cart.attempt !== null)
  const modules = useQuery({
    queryKey: ['modules'],
    queryFn: async () => (await call(modulesList)).modules,
    staleTime: 60_000,
  })
  const isOn = modules.data?.some(({ module, enabled }) => module === 'payment' && enabled)
  if (!isOn || isCorrection) return null
  const reason = isOnline ? (isPart ? 'code.part' : null) : 'code.offline'
  return (
    <div className="grid gap-1.5">
      <Button disabled={reason !== null || isStuck || checkout.isBusy} onClick={checkout.showCode}>
        <QrCode aria-hidden size={20} />
        {t('code.show')}
      </Button>
      <p className="text-sm text-muted">{t(reason ?? 'code.offer')}</p>
    </div>
  )
}
