import {
  Banknote,
  CreditCard,
  Ellipsis,
  Gift,
  Landmark,
  type LucideIcon,
  QrCode,
  ReceiptText,
} from 'lucide-react'
import { useIsOnline } from '../../app/line.ts'
import { useCart } from '../../selling/cart-store.ts'
import { isOnlyAtService, METHODS, type Method } from '../../selling/tender.ts'
import { useTexts } from '../../texts/texts.ts'
import { classes } from '../../ui/classes.ts'

const ICONS: Readonly<Record<(typeof METHODS)[number], LucideIcon>> = {
  CASH: Banknote,
  QRIS: QrCode,
  CARD: CreditCard,
  VA: ReceiptText,
  TRANSFER: Landmark,
  GIFT_CARD: Gift,
  OTHER: Ellipsis,
}

export function TenderChoice({ method, onChoose }: { method: Method; onChoose(method: Method): void }) {
  const t = useTexts()
  const isOnline = useIsOnline()
  const canUseService = useCart((cart) => cart.correction === null) && isOnline
  return (
    <>
      <div role="radiogroup" aria-label={t('pay.tender')} className="grid grid-cols-4 gap-2">
        {METHODS.map((each) => {
          const Icon = ICONS[each]
          const isOff = !canUseService && isOnlyAtService(each)
          return (
            <label
              key={each}
              className={classes(
                'relative flex min-h-14 cursor-pointer flex-col items-center justify-center gap-0.5 rounded-xl border px-0.5 text-center text-xs leading-tight font-medium has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-brand',
                isOff && 'cursor-not-allowed border-dashed text-muted',
                each === method
                  ? 'border-brand bg-brand text-on-brand'
                  : 'border-control/60 bg-raised hover:border-control',
              )}
            >
              <input
                type="radio"
                name="tender"
                className="absolute inset-0 cursor-pointer opacity-0"
                checked={each === method}
                disabled={isOff}
                aria-describedby={isOff && !isOnline ? 'tender-offline' : undefined}
                onChange={() => onChoose(each)}
              />
              <Icon aria-hidden size={20} />
              {t(`tender.${each}`)}
            </label>
          )
        })}
      </div>
      {!isOnline && (
        <p id="tender-offline" className="text-sm text-muted">
          {t('tender.offline')}
        </p>
      )}
    </>
  )
}
