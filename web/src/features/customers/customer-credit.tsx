import { useQuery } from '@tanstack/react-query'
import { type Customer, customerCreditGet } from 'kasir-client'
import { HandCoins } from 'lucide-react'
import { useState } from 'react'
import { call } from '../../app/service.ts'
import { May } from '../../office/may.tsx'
import { Panel } from '../../office/panel.tsx'
import { ReminderButton } from '../../office/reminder-button.tsx'
import { useOfficeTexts } from '../../texts/office/texts.ts'
import { Button } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { formatAmount, formatRupiah } from '../../ui/rupiah.ts'
import { formatDate, formatMoment } from '../../ui/time.ts'
import { CreditPaymentDialog } from './credit-payment-dialog.tsx'

const MOST = 10

/** The debts of a customer: balance and limit, statement, payment and reminder. */
export function CustomerCredit({ customer, onChange }: { customer: Customer; onChange(): void }) {
  const t = useOfficeTexts()
  const [isWhole, setWhole] = useState(false)
  const [isOpen, setOpen] = useState(false)
  const { id, name, creditBalance, creditLimit } = customer
  const statement = useQuery({
    queryKey: ['credit', id, isWhole],
    queryFn: () => call(customerCreditGet, { id, ...(!isWhole && { limit: MOST }) }),
    placeholderData: (before) => before,
  })
  const entries = statement.data?.entries ?? []
  const readAgain = () => {
    void statement.refetch()
    onChange()
  }
  const finish = () => {
    setOpen(false)
    readAgain()
  }
  const balance = statement.data?.balance ?? creditBalance
  return (
    <>
      <Panel
        error={statement.error}
        title={t('credit.now', { balance: formatRupiah(balance), limit: formatRupiah(creditLimit) })}
        actions={
          balance > 0 && (
            <>
              <ReminderButton customerId={id} name={name} />
              <May route="customerCredit.pay">
                <Button look="quiet" onClick={() => setOpen(true)}>
                  <HandCoins aria-hidden size={18} />
                  {t('credit.pay')}
                </Button>
              </May>
            </>
          )
        }
      >
        <ul aria-label={t('credit')} className="divide-y">
          {entries.map(({ id: entryId, type, amount, open, balanceAfter, dueDate, method, createdAt }) => (
            <li key={entryId} className="flex items-center gap-3 px-4 py-2 text-sm">
              <span className="grid min-w-0 flex-1">
                <span className="font-medium">
                  {t(`credit.${type}`)}
                  {method !== null && ` · ${t(`tender.${method}`)}`}
                </span>
                <span className="break-words text-muted">
                  {[
                    formatMoment(createdAt),
                    dueDate !== null && t('credit.due', { day: formatDate(dueDate) }),
                    open > 0 && t('credit.open', { amount: formatAmount(open) }),
                  ]
                    .filter(Boolean)
                    .join(' · ')}
                </span>
              </span>
              <span className={classes('amount font-semibold', amount < 0 && 'text-good')}>
                {amount > 0 ? '+' : ''}
                {formatAmount(amount)}
              </span>
              <span className="amount w-24 text-muted">{formatAmount(balanceAfter)}</span>
            </li>
          ))}
          {statement.data?.entries.length === 0 && (
            <li className="px-4 py-3 text-sm text-muted">{t('credit.none')}</li>
          )}
        </ul>
        {!isWhole && entries.length === MOST && (
          <Button look="quiet" className="w-full" onClick={() => setWhole(true)}>
            {t('credit.all')}
          </Button>
        )}
      </Panel>
      {/* Outside, because an error takes the place of what the panel shows. */}
      {isOpen && (
        <CreditPaymentDialog
          customerId={id}
          balance={balance}
          newestId={entries[0]?.id ?? null}
          onClose={() => setOpen(false)}
          onDone={finish}
          onError={readAgain}
        />
      )}
    </>
  )
}
