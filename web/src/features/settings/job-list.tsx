import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type PrintJob, printJobsList, printJobsReprint } from 'kasir-client'
import { RotateCcw, ScrollText } from 'lucide-react'
import { call } from '../../app/service.ts'
import { callPage, PAGE_ROWS } from '../../office/call-page.ts'
import type { Column } from '../../office/list/column.ts'
import { ListPage } from '../../office/list/list-page.tsx'
import { May } from '../../office/may.tsx'
import { useOfficeSearch } from '../../office/search-state.ts'
import { type OfficeTranslate, useOfficeTexts } from '../../texts/office/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/failure.tsx'
import { formatMoment } from '../../ui/time.ts'
import { JobReason, JobState } from './job-state.tsx'
import { JOBS_EVERY_MS, usePrinters } from './printer-data.ts'

const STATES = ['queued', 'printing', 'printed', 'failed'] as const
const isState = (text: string | undefined): text is (typeof STATES)[number] =>
  STATES.includes(text as (typeof STATES)[number])

/** What was sent to the printers, why a paper did not come, and the button that prints it again. */
export function JobList() {
  const t = useOfficeTexts()
  const [{ printer, status }] = useOfficeSearch()
  const printers = usePrinters()
  const nameOf = (id: string) => printers.data?.find((each) => each.id === id)?.name ?? t('printer.removed')
  const reprint = useReprint()
  return (
    <ListPage
      title={t('jobs')}
      columns={columnsIn(t, nameOf, reprint)}
      idOf={({ id }) => id}
      source={{
        key: ['printJobs', 'list', printer, status],
        everyMs: JOBS_EVERY_MS,
        read: (cursor) =>
          callPage(
            printJobsList,
            {
              limit: PAGE_ROWS,
              ...(cursor !== null && { cursor }),
              ...(printer && { printerId: printer }),
              ...(isState(status) && { status }),
            },
            (rows) => rows,
          ),
      }}
      filters={[
        {
          key: 'printer',
          label: t('printer'),
          options: (printers.data ?? []).map(({ id, name }) => ({ value: id, text: name })),
        },
        {
          key: 'status',
          label: t('state'),
          options: STATES.map((value) => ({ value, text: t(`job.${value}`) })),
        },
      ]}
      empty={{ icon: ScrollText, title: t('job.empty'), text: t('job.emptyText') }}
    >
      <Failure error={reprint.error} />
    </ListPage>
  )
}

function useReprint() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => call(printJobsReprint, { id }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['printJobs'] }),
  })
}

/** A drawer is never opened again by a reprint (B-print-8). */
const canReprint = ({ kind, status, reason }: PrintJob) =>
  kind !== 'DRAWER' && (status === 'printed' || status === 'failed') && reason !== 'PRINTER_REMOVED'

const columnsIn = (
  t: OfficeTranslate,
  nameOf: (id: string) => string,
  reprint: ReturnType<typeof useReprint>,
): readonly Column<PrintJob>[] => [
  {
    key: 'job',
    title: t('job'),
    cell: (job) => (
      <span className="grid min-w-0 gap-0.5">
        <span>
          {[t(`jobKind.${job.kind}`), job.station].filter((part) => part !== null).join(' · ')}
          {job.copy && ` · ${t('job.copy')}`}
        </span>
        <span className="text-xs font-normal text-muted">
          {formatMoment(job.createdAt)} · {nameOf(job.printerId)}
          {job.fallbackFrom !== null && ` (${t('job.insteadOf', { name: nameOf(job.fallbackFrom) })})`}
        </span>
        <span className="font-normal">
          <JobReason job={job} />
        </span>
      </span>
    ),
  },
  {
    key: 'attempts',
    title: t('delivery.attempts'),
    isAmount: true,
    from: 'sm',
    cell: ({ attempts }) => attempts,
  },
  { key: 'state', title: t('state'), cell: (job) => <JobState job={job} /> },
  {
    key: 'reprint',
    title: t('job.again'),
    isAmount: true,
    cell: (job) =>
      canReprint(job) && (
        <May route="printJobs.reprint">
          <Button
            look="quiet"
            aria-label={`${t('job.reprint')}: ${t(`jobKind.${job.kind}`)}, ${formatMoment(job.createdAt)}`}
            disabled={reprint.isPending}
            onClick={() => reprint.mutate(job.id)}
          >
            <RotateCcw aria-hidden size={18} />
            <span className="max-sm:sr-only">{t('job.reprint')}</span>
          </Button>
        </May>
      ),
  },
]
