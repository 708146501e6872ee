import { useMutation, useQueryClient } from '@tanstack/react-query'
import { categoriesList, productsList } from 'kasir-client'
import { FileUp } from 'lucide-react'
import { useState } from 'react'
import { call } from '../../../app/service.ts'
import { callAllRows } from '../../../office/call-page.ts'
import { May } from '../../../office/may.tsx'
import { useShop } from '../../../offline/shop.ts'
import { useOfficeTexts } from '../../../texts/office/texts.ts'
import { Button } from '../../../ui/button.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { readCsv, textOf } from './cells.ts'
import { type ImportPlan, planImport } from './plan.ts'
import { RefusalTable } from './refusal-table.tsx'
import { type ImportProgress, runImport } from './run-import.ts'

const NOTHING_DONE: ImportProgress = { done: 0, refusals: [] }

/** A file is compared with the catalogue first, which stores nothing; a second button imports it. */
export function ImportPage() {
  const t = useOfficeTexts()
  const queries = useQueryClient()
  const [progress, setProgress] = useState(NOTHING_DONE)
  const trial = useMutation({
    mutationFn: async (file: File): Promise<ImportPlan | 'notUtf8' | 'notCsv'> => {
      const table = await readTable(file)
      if (typeof table === 'string') return table
      const { categories } = await call(categoriesList)
      return planImport(table, await callAllRows(productsList, {}, ({ products }) => products), categories)
    },
    onMutate: () => {
      run.reset()
      setProgress(NOTHING_DONE)
    },
  })
  const run = useMutation({
    mutationFn: ({ steps }: ImportPlan) => runImport(steps, progress, setProgress),
    onSettled: () => {
      void queries.invalidateQueries()
      void useShop.getState().refresh()
    },
  })
  const plan = typeof trial.data === 'object' ? trial.data : undefined
  const { done } = progress
  const steps = plan?.steps.length ?? 0
  const refusals = [...(plan?.refusals ?? []), ...progress.refusals]
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
      {typeof trial.data === 'string' && <Notice text={t(`import.${trial.data}`)} />}
      <Failure error={trial.error ?? run.error} />
      {plan && !run.isSuccess && (
        <div className="grid gap-3">
          <p role="status" className="text-lg font-semibold">
            {run.isPending && t('import.progress', { done, n: steps })}
            {run.isError && t('import.stopped', { done, n: steps })}
            {run.isIdle &&
              t('import.plan', {
                created: plan.created,
                changed: plan.changed,
                unchanged: plan.unchanged,
                refused: plan.refusals.length,
              })}
          </p>
          <Button
            look="primary"
            className="justify-self-start"
            disabled={steps === 0 || run.isPending}
            onClick={() => run.mutate(plan)}
          >
            {t('import.run', { n: steps - done })}
          </Button>
        </div>
      )}
      {run.isSuccess && (
        <p role="status" className="text-lg font-semibold">
          {t('import.done', { n: done - progress.refusals.length })}
        </p>
      )}
      {refusals.length > 0 && <RefusalTable refusals={refusals} />}
    </section>
  )
}

async function readTable(file: File): Promise<string[][] | 'notUtf8' | 'notCsv'> {
  try {
    return readCsv(await textOf(file))
  } catch (error) {
    if (error instanceof TypeError) return 'notUtf8'
    if (error instanceof SyntaxError) return 'notCsv'
    throw error
  }
}
