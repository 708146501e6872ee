import { useQuery } from '@tanstack/react-query'
import { printersList } from 'kasir-client'
import { useId } from 'react'
import { call } from '../../app/service.ts'
import { Failure } from '../../ui/failure.tsx'
import { FIELD } from '../../ui/field.tsx'
import { Picks } from '../../ui/picks.tsx'
import { Select } from '../../ui/select.tsx'
import { WholeInput } from '../form/whole-input.tsx'
import { useOutletName } from '../use-outlet-options.ts'
import { type LabelValues, PAPERS, type Paper } from './label-values.ts'
import { useLabelTexts } from './texts.ts'

type OutputProps = {
  values: LabelValues
  onChange(change: Partial<LabelValues>): void
  onPrinterName(name: string): void
}

/** Where the labels are printed: on which paper, or at which printer. */
export function OutputFields({ values, onChange, onPrinterName }: OutputProps) {
  const t = useLabelTexts()
  const outletName = useOutletName()
  const hintId = useId()
  const { output, paper, first, printerId } = values
  const printers = useQuery({
    queryKey: ['printers'],
    queryFn: async () => (await call(printersList)).printers,
    enabled: output === 'printer',
  })
  const labels = PAPERS.find((each) => each.paper === paper)?.labels ?? 1
  return (
    <>
      <Picks
        label={t('output')}
        value={output}
        onValue={(next) => onChange({ output: next })}
        options={[
          { value: 'pdf', text: t('pdf') },
          { value: 'printer', text: t('printer') },
        ]}
      />
      {output === 'pdf' && (
        <Select
          label={t('paper')}
          value={paper}
          onValue={(next) => onChange({ paper: next as Paper, first: 1 })}
          options={PAPERS.map((each) => ({
            value: each.paper,
            text:
              each.labels === 1
                ? t('roll', { size: each.size })
                : t('sheet', { n: each.labels, size: each.size }),
          }))}
        />
      )}
      {output === 'pdf' && labels > 1 && (
        <div className="grid gap-1.5">
          <label className="grid gap-1.5 text-sm font-medium">
            {t('first')}
            <WholeInput
              min={1}
              max={labels}
              aria-describedby={hintId}
              className={`${FIELD} font-normal`}
              value={first}
              onValue={(typed) => onChange({ first: typed ?? 0 })}
            />
          </label>
          <p id={hintId} className="text-sm text-muted">
            {t('firstHint')}
          </p>
        </div>
      )}
      {output === 'printer' && printers.data && printers.data.length > 0 && (
        <Select
          label={t('onPrinter')}
          value={printerId}
          onValue={(next) => {
            onChange({ printerId: next })
            onPrinterName(printers.data.find(({ id }) => id === next)?.name ?? '')
          }}
          options={printers.data.map(({ id, name, outletId }) => ({
            value: id,
            text: `${name} · ${outletName(outletId)}`,
          }))}
        />
      )}
      {output === 'printer' && printers.data?.length === 0 && (
        <p className="text-sm text-muted">{t('noPrinter')}</p>
      )}
      <Failure error={printers.error} />
    </>
  )
}
