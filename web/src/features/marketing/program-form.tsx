import { useQuery } from '@tanstack/react-query'
import { type ReferralProgram, referralsGet, referralsReplace, referralsStats } from 'kasir-client'
import { useState } from 'react'
import { call } from '../../app/service.ts'
import { FigureCard } from '../../office/figure-card.tsx'
import { FormPage } from '../../office/form/form-page.tsx'
import { useForm } from '../../office/form/use-form.ts'
import { useRecord } from '../../office/form/use-record.ts'
import { useMay } from '../../office/may.tsx'
import { ModuleFailure } from '../../office/module-gate.tsx'
import { RecordState } from '../../office/record-state.tsx'
import { useMarketingTexts } from '../../texts/marketing/texts.ts'
import { Failure } from '../../ui/failure.tsx'
import { formatAmount, formatRupiah } from '../../ui/rupiah.ts'
import { type ProgramValues, programBody, programFields } from './program-fields.ts'

async function read(): Promise<ProgramValues> {
  const {
    createdAt: _created,
    updatedAt: _updated,
    ...program
  }: ReferralProgram = (await call(referralsGet)).program
  return program
}

/** The referral program with its results. */
export function ProgramForm() {
  const [version, setVersion] = useState(0)
  const record = useRecord(['referralProgram', version], read)
  if (!record.data) return <RecordState query={record} ErrorView={ModuleFailure} />
  return <ProgramFormPage key={version} program={record.data} onSaved={() => setVersion((now) => now + 1)} />
}

function ProgramFormPage({ program, onSaved }: { program: ProgramValues; onSaved(): void }) {
  const m = useMarketingTexts()
  const may = useMay()
  const form = useForm<ProgramValues>({
    name: 'marketing:referrals',
    initial: program,
    save: (values, _changes, options) => call(referralsReplace, programBody(values), options),
    readAgain: read,
    onSaved,
  })
  return (
    <FormPage
      title={m('referrals')}
      form={form}
      hasList={false}
      isReadOnly={!may('referrals.replace')}
      before={
        <>
          <p className="text-muted">{m('referral.text')}</p>
          <ProgramStats />
        </>
      }
      fields={programFields(m)}
    />
  )
}

const STATS = ['links', 'clicks', 'conversions', 'rewardsIssued', 'revenue'] as const

function ProgramStats() {
  const m = useMarketingTexts()
  const stats = useQuery({
    queryKey: ['referralStats'],
    queryFn: () => call(referralsStats),
    refetchOnMount: 'always',
  })
  return (
    <section aria-label={m('referral.stats')} className="grid grid-cols-2 gap-3 sm:grid-cols-3">
      {STATS.map((name) => (
        <FigureCard
          key={name}
          label={m(`stat.${name}`)}
          value={stats.data?.[name]}
          format={name === 'revenue' ? formatRupiah : formatAmount}
        />
      ))}
      <Failure error={stats.error} />
    </section>
  )
}
