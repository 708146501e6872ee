import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type SaleRow, type ShiftDetail, salesList } from 'kasir-client'
import { SearchCheck } from 'lucide-react'
import { useState } from 'react'
import { callAll } from '../../app/service.ts'
import { type Explanation, explainCashDifference, type TypedEntry } from '../../core.ts'
import { correctTender, isCorrectable, type ManualMethod } from '../../selling/correct-tender.ts'
import { type Translate, useTexts } from '../../texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/failure.tsx'
import { formatRupiah } from '../../ui/rupiah.ts'
import { formatTime } from '../../ui/time.ts'
import { drawerOf, saleWith } from './drawer-record.ts'
import { useMovements } from './movements.ts'
import { TenderTaps } from './tender-taps.tsx'

/** The tenders that a payment may have had instead: one tap corrects it. */
const TENDERS: Readonly<Partial<Record<Explanation['kind'], readonly ManualMethod[]>>> = {
  NOT_PAID_IN_CASH: ['QRIS', 'CARD', 'TRANSFER'],
  PAID_IN_CASH: ['CASH'],
}

/** A long list explains nothing: the likeliest come first. */
const MOST_CANDIDATES = 3

type FindDifferenceProps = {
  shift: ShiftDetail
  counted: number
  /** The count itself was mistyped: the cashier takes the other amount with one tap. */
  onRecount(counted: number): void
}

/** What explains exactly this difference between the counted and the expected cash. */
export function FindDifference({ shift, counted, onRecount }: FindDifferenceProps) {
  const t = useTexts()
  const { shiftId, movements } = useMovements()
  const sales = useQuery({
    queryKey: ['shift', shift.id, 'sales'],
    queryFn: () => callAll<SaleRow>(salesList, { shiftId: shift.id, limit: 100 }),
  })
  const own = shiftId === shift.id ? movements : []
  const explanations = sales.data ? explainCashDifference(drawerOf(shift, sales.data, own, counted)) : []
  return (
    <section aria-labelledby="find-difference" className="grid gap-3 rounded-xl border p-4">
      <h2 id="find-difference" className="flex items-center gap-2 font-semibold">
        <SearchCheck aria-hidden size={20} className="text-brand" />
        {t('find')}
      </h2>
      <Failure error={sales.error} />
      {sales.isSuccess && explanations.length === 0 && <p className="text-muted">{t('find.nothing')}</p>}
      <ol className="grid gap-3">
        {explanations.map((explanation) => (
          <li key={keyOf(explanation)} className="grid gap-2">
            <p className="font-medium">{sentenceFor(explanation, t)}</p>
            {'candidates' in explanation ? (
              <Candidates
                ids={explanation.candidates}
                sales={sales.data ?? []}
                tenders={TENDERS[explanation.kind] ?? []}
              />
            ) : (
              explanation.entry === 'counted' && (
                <Button className="justify-self-start" onClick={() => onRecount(explanation.intended)}>
                  {t('find.recount', { amount: formatRupiah(explanation.intended) })}
                </Button>
              )
            )}
          </li>
        ))}
      </ol>
    </section>
  )
}

const keyOf = (explanation: Explanation) =>
  'candidates' in explanation ? explanation.kind : `${explanation.kind} ${JSON.stringify(explanation.entry)}`

function entryOf(entry: TypedEntry, t: Translate): string {
  if (entry === 'counted') return t('shift.counted')
  return entry === 'openingFloat' ? t('shift.float') : t('shift.move')
}

const sentenceFor = (explanation: Explanation, t: Translate): string =>
  'candidates' in explanation
    ? t(`find.${explanation.kind}`)
    : t(`find.${explanation.kind}`, {
        entry: entryOf(explanation.entry, t),
        amount: formatRupiah(explanation.intended),
      })

type CandidatesProps = {
  ids: readonly string[]
  sales: readonly SaleRow[]
  tenders: readonly ManualMethod[]
}

/** The sales that may hold the mistake; a tap opens one, and another tap corrects its tender. */
function Candidates({ ids, sales, tenders }: CandidatesProps) {
  const t = useTexts()
  const [error, setError] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)
  const correct = async (saleId: string, paymentId: string, method: ManualMethod) => {
    setBusy(true)
    setError(null)
    await correctTender({ saleId, paymentId, method }).catch(setError)
    setBusy(false)
  }
  const paymentIn = (sale: SaleRow) =>
    tenders.length === 0
      ? undefined
      : sale.payments.find((payment) => ids.includes(payment.id) && isCorrectable(payment))
  const found = [...new Set(ids.flatMap((id) => saleWith(sales, id) ?? []))]
  if (found.length === 0) return null
  return (
    <ul className="grid gap-1">
      {found.slice(0, MOST_CANDIDATES).map((sale) => (
        <li key={sale.id}>
          <Link
            to="/penjualan"
            search={{ sale: sale.id }}
            className="flex min-h-12 items-center justify-between gap-3 rounded-xl border border-control/60 bg-raised px-4 hover:border-control"
          >
            <span className="min-w-0 truncate tabular-nums">
              {formatTime(sale.completedAt ?? sale.createdAt)} · {sale.number}
            </span>
            <span className="amount">{formatRupiah(sale.total)}</span>
          </Link>
          <TenderTaps
            payment={paymentIn(sale)}
            tenders={tenders}
            isBusy={isBusy}
            onCorrect={(paymentId, method) => void correct(sale.id, paymentId, method)}
          />
        </li>
      ))}
      {found.length > MOST_CANDIDATES && (
        <li className="text-sm text-muted">{t('find.more', { n: found.length - MOST_CANDIDATES })}</li>
      )}
      {error !== null && (
        <li>
          <Failure error={error} />
        </li>
      )}
    </ul>
  )
}
