import { ArrowLeft } from 'lucide-react'
import { useRef } from 'react'
import { useCart } from '../../selling/cart-store.ts'
import { useRegister } from '../../selling/register-store.ts'
import { quickCash } from '../../selling/tender.ts'
import { useTexts } from '../../texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Field } from '../../ui/field.tsx'
import { Keypad } from '../../ui/keypad.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { MoneyField } from '../../ui/money-field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { formatAmount, formatRupiah } from '../../ui/rupiah.ts'
import { TAKES_CODE } from '../../ui/use-scanner.ts'
import { CardBalance } from './card-balance.tsx'
import { CodeOffer } from './code-offer.tsx'
import type { PanelProps } from './panel-props.ts'
import { TenderChoice } from './tender-choice.tsx'
import { usePayment } from './use-payment.ts'

const TakenTenders = lazyPart(() => import('./taken-tenders.tsx').then((file) => file.TakenTenders))
const CreditTender = lazyPart(() => import('./credit-tender.tsx').then((file) => file.CreditTender))

/** Takes one tender after the other until the sale is paid. */
export function PayPanel({ totals, checkout }: PanelProps) {
  const t = useTexts()
  const { tenders, attempt, customer } = useCart()
  const { show, codeEnd } = useRegister()
  const field = useRef<HTMLInputElement>(null)
  const payment = usePayment({ totals, checkout }, field)
  const { method, received, remaining, toPay } = payment
  return (
    <form
      className="flex h-full min-h-0 flex-col"
      onSubmit={(event) => {
        event.preventDefault()
        payment.take(received)
      }}
    >
      <div className="flex items-center gap-2 border-b p-2">
        <Button
          look="quiet"
          size="icon"
          aria-label={t('back')}
          disabled={checkout.isBusy}
          onClick={() => show({ panel: 'cart', codeEnd: null })}
        >
          <ArrowLeft aria-hidden size={22} />
        </Button>
        <h2 className="flex-1 text-lg font-semibold">{t(tenders.length > 0 ? 'pay.remaining' : 'pay')}</h2>
        {toPay !== remaining && (
          <p className="text-right text-sm leading-tight text-muted">
            {t('rounding')} <span className="amount">{formatAmount(toPay - remaining)}</span>
          </p>
        )}
        <p className="amount pr-2 text-2xl font-bold whitespace-nowrap">{formatRupiah(toPay)}</p>
      </div>
      <div className="grid min-h-0 flex-1 content-start gap-3 overflow-y-auto p-3">
        {codeEnd !== null && <Notice text={t(`code.ended.${codeEnd}`)} />}
        {(tenders.length > 0 || totals.due < 0) && <TakenTenders due={totals.due} />}
        <TenderChoice method={method} onChoose={payment.choose} />
        {customer !== null && <CreditTender customer={customer} payment={payment} />}
        {method === 'QRIS' && <CodeOffer checkout={checkout} isPart={tenders.length > 0} />}
        {method !== 'CASH' && method !== 'CREDIT' && (
          <Field
            label={t(method === 'GIFT_CARD' ? 'pay.cardCode' : 'pay.reference')}
            {...TAKES_CODE}
            value={payment.reference}
            maxLength={100}
            autoComplete="off"
            onChange={({ target }) => payment.setReference(target.value)}
          />
        )}
        {method === 'GIFT_CARD' && (
          <CardBalance code={payment.reference} remaining={remaining} onTake={payment.type} />
        )}
        <MoneyField
          label={t('pay.received')}
          isLarge
          value={received}
          onValue={payment.type}
          placeholder={formatAmount(toPay)}
          ref={field}
        />
        {method === 'CASH' && (
          <div className="grid grid-cols-3 gap-2">
            {quickCash(toPay).map((amount) => (
              <Button key={amount} className="px-1 tabular-nums" onClick={() => payment.type(amount)}>
                {formatAmount(amount)}
              </Button>
            ))}
          </div>
        )}
        {payment.refusal !== null && <Notice text={t(`pay.refused.${payment.refusal}`)} />}
        <Failure error={checkout.error} />
        <Keypad value={received} onValue={payment.type} />
      </div>
      <div className="grid gap-2 border-t p-3">
        <p className="flex justify-between text-lg">
          <span>{t('change')}</span>
          <span className="amount font-semibold">{formatRupiah(payment.change)}</span>
        </p>
        <div className="grid grid-cols-3 gap-2">
          <Button
            size="large"
            className="px-1 text-sm leading-snug"
            disabled={payment.isBlocked || (received ?? 0) <= 0}
            onClick={() => payment.take(received, true)}
          >
            {t('pay.more')}
          </Button>
          <Button
            look="primary"
            size="large"
            type={attempt === null ? 'submit' : 'button'}
            className="col-span-2"
            disabled={attempt === null ? payment.isBlocked : checkout.isBusy}
            onClick={attempt === null ? undefined : checkout.retry}
          >
            {t(attempt !== null && !checkout.isBusy ? 'retry' : 'pay.done')}
          </Button>
        </div>
      </div>
    </form>
  )
}
