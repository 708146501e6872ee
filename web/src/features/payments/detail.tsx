import { ArrowLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { useOfficeSearch } from '../../office/search-state.ts'
import { useOfficeTexts } from '../../texts/office/texts.ts'
import { usePaymentsTexts } from '../../texts/payments/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/failure.tsx'
import { StatusMark } from './looks.tsx'
import { awaySentence } from './partner-calls.ts'

type DetailProps = { title: string; status?: string; actions?: ReactNode; children: ReactNode }

/** The frame of one record: the way back, its name and state, its actions. */
export function Detail({ title, status, actions, children }: DetailProps) {
  const t = useOfficeTexts()
  const [, setAddress] = useOfficeSearch()
  return (
    <section className="grid max-w-3xl content-start gap-4 p-4 sm:p-6">
      <header className="flex flex-wrap items-center gap-2">
        <Button
          look="quiet"
          size="icon"
          aria-label={t('form.back')}
          onClick={() => void setAddress({ id: null })}
        >
          <ArrowLeft aria-hidden size={22} />
        </Button>
        <h1 className="flex-[1_0_12rem] text-xl font-bold wrap-anywhere sm:text-2xl">{title}</h1>
        {status !== undefined && <StatusMark status={status} />}
        {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
      </header>
      {children}
    </section>
  )
}

/** Names and values of a record; a fact without a value is left out. */
export function Facts({ facts }: { facts: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className="grid gap-x-6 gap-y-2 rounded-xl border bg-panel p-4 sm:grid-cols-[max-content_1fr]">
      {facts.map(([name, value]) =>
        value === null ? null : (
          <div key={name} className="contents">
            <dt className="text-sm text-muted">{name}</dt>
            <dd className="font-medium wrap-anywhere max-sm:mb-1">{value}</dd>
          </div>
        ),
      )}
    </dl>
  )
}

/** What a page shows until the partner has answered, or instead of it. */
export function PartnerState({ query, hasBack = true }: PartnerStateProps) {
  const o = useOfficeTexts()
  const t = usePaymentsTexts()
  const [, setAddress] = useOfficeSearch()
  if (!query.error)
    return (
      <p role="status" className="p-6 text-muted">
        {o('loading')}
      </p>
    )
  return (
    <div className="grid gap-3 p-4 sm:p-6">
      <Failure error={query.error} sentence={awaySentence(t)(query.error)} />
      <div className="flex gap-2">
        <Button onClick={() => void query.refetch()}>{o('retry')}</Button>
        {hasBack && (
          <Button look="quiet" onClick={() => void setAddress({ id: null })}>
            {o('form.back')}
          </Button>
        )}
      </div>
    </div>
  )
}
type PartnerStateProps = {
  query: { error: unknown; refetch(): unknown }
  /** The record was opened from a list. */
  hasBack?: boolean
}
