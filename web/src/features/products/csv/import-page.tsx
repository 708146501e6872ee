import { useMutation, useQueryClient } from '@tanstack/react-query'
import { productsList } from 'kasir-client'
import { FileUp } from 'lucide-react'
import { useState } from 'react'
import { callAllRows } from '../../../office/call-page.ts'
import { May } from '../../../office/may.tsx'
import { useShop } from '../../../offline/shop.ts'
import { useOfficeTexts } from '../../../texts/office/texts.ts'
import { Button } from '../../../ui/button.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { readCsv } from './cells.ts'
import { type ImportPlan, planImport } from './plan.ts'
import type { CsvRefusal } from './read-rows.ts'
import { RefusalTable } from './refusal-table.tsx'
import { runImport } from './run-import.ts'

type Result = { stored: number; refusals: readonly CsvRefusal[] }

/** A file is compared with the catalogue first, which stores nothing; a second button imports it. */
export function ImportPage() {
  const t = useOfficeTexts()
  const queries = useQueryClient()
  const [done, setDone] = useState(0)
  const trial = useMutation({
    mutationFn: async (file: File): Promise<ImportPlan | null> => {
      const text = await file.text()
      try {
        const table = readCsv(text)
        return planImport(table, await callAllRows(productsList, {}, ({ products }) => products))
      } catch (error) {
        if (error instanceof SyntaxError) return null
        throw error
      }
    },
    onSuccess: () => run.reset(),
  })
  const run = useMutation({
    mutationFn: async (plan: ImportPlan): Promise<Result> => {
      setDone(0)
      const refusals = await runImport(plan.steps, setDone)
      return { stored: plan.steps.length - refusals.length, refusals }
    },
    onSettled: () => {
      void queries.invalidateQueries()
      void useShop.getState().refresh()
    },
  })
  const plan = trial.data ?? undefined
  const refusals = run.data?.refusals ?? plan?.refusals ?? []
  return (
    <section className="grid max-w-4xl gap-4 p-4 sm:p-6">
      <h1 className="text-2xl font-bold">{t('import.tab')}</h1>
      <p className="text-muted">{t('import.text')}</p>
      <May route="products.create">
        <label className="flex min-h-24 cursor-pointer items-center justify-center gap-3 rounded-xl border-2 border-dashed border-control bg-panel p-4 font-medium hover:bg-brand-soft has-focus-visible:outline-3 has-focus-visible:outline-brand">
          <FileUp aria-hidden size={24} className="text-brand" />
          {t('import.choose')}
          <input
            type="file"
            accept=".csv,text/csv"
            className="sr-only"
            disabled={trial.isPending || run.isPending}
            onChange={({ target }) => {
              const [file] = target.files ?? []
              if (file) trial.mutate(file)
              target.value = ''
            }}
          />
        </label>
      </May>
      {trial.data === null && <Notice text={t('import.notCsv')} />}
      <Failure error={trial.error ?? run.error} />
      {plan && !run.data && (
        <div className="grid gap-3">
          <p role="status" className="text-lg font-semibold">
            {run.isPending
              ? t('import.progress', { done, n: plan.steps.length })
              : t('import.plan', {
                  created: plan.created,
                  changed: plan.changed,
                  unchanged: plan.unchanged,
                  refused: plan.refusals.length,
                })}
          </p>
          <Button
            look="primary"
            className="justify-self-start"
            disabled={plan.steps.length === 0 || run.isPending}
            onClick={() => run.mutate(plan)}
          >
            {t('import.run', { n: plan.steps.length })}
          </Button>
        </div>
      )}
      {run.data && (
        <p role="status" className="text-lg font-semibold">
          {t('import.done', { n: run.data.stored })}
        </p>
      )}
      {refusals.length > 0 && <RefusalTable refusals={refusals} />}
    </section>
  )
}
