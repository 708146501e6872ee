import { Check, X } from 'lucide-react'
import { useCart } from '../../selling/cart-store.ts'
import { paidBy } from '../../selling/tender.ts'
import { useCounterTexts } from '../../texts/counter/texts.ts'
import { useTexts } from '../../texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { formatAmount, formatRupiah } from '../../ui/rupiah.ts'

/** The tenders that were taken for the cart before it is paid in full. Each can be removed and given back. */
export function TakenTenders({ due }: { due: number }) {
  const t = useTexts()
  const c = useCounterTexts()
  const { tenders, attempt, setTenders } = useCart()
  const excess = paidBy(tenders) - due
  return (
    <>
      {tenders.length > 0 && (
        <ul aria-label={c('taken')} className="grid">
          {tenders.map((tender, at) => (
            <li key={at} className="flex items-center gap-2 text-good">
              <Check aria-hidden size={18} className="shrink-0" />
              <span className="flex-1">{t(`tender.${tender.method}`)}</span>
              <span className="amount">{formatAmount(tender.amount)}</span>
              <Button
                look="quiet"
                size="icon"
                disabled={attempt !== null}
                aria-label={c('taken.remove', {
                  tender: t(`tender.${tender.method}`),
                  amount: formatAmount(tender.amount),
                })}
                onClick={() => setTenders(tenders.filter((_, place) => place !== at))}
              >
                <X aria-hidden size={20} />
              </Button>
            </li>
          ))}
        </ul>
      )}
      {excess > 0 && (
        <Notice
          text={c(tenders.length > 0 ? 'taken.over' : 'taken.overBill', { amount: formatRupiah(excess) })}
        />
      )}
    </>
  )
}
