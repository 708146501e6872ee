import { useMutation, useQuery } from '@tanstack/react-query'
import { type Printer, type PrintJob, printersPrintTest, printJobsList } from 'kasir-client'
import { Printer as PrinterIcon } from 'lucide-react'
import { call, callPage } from '../../app/service.ts'
import { checkForJobs } from '../../printing/till-printer.ts'
import { usePrintingTexts } from '../../texts/printing/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/failure.tsx'

const WATCH_MS = 500
const isSettled = (job: PrintJob) => job.status === 'printed' || job.status === 'failed'

/** Prints a test page by the way of every job, and follows it. */
export function PrinterTest({ printer: { id } }: { printer: Printer }) {
  const t = usePrintingTexts()
  const test = useMutation({
    mutationFn: () => call(printersPrintTest, { id }),
    onSuccess: () => checkForJobs(),
  })
  const first = test.data?.job
  const jobs = useQuery({
    queryKey: ['printJobs', 'watched', first?.id],
    queryFn: async () =>
      (await callPage<readonly PrintJob[]>(printJobsList, { printerId: id, limit: 20 })).data,
    enabled: first !== undefined,
    refetchInterval: ({ state }) => {
      const job = state.data?.find((each) => each.id === first?.id)
      return job !== undefined && isSettled(job) ? false : WATCH_MS
    },
  })
  const job = jobs.data?.find((each) => each.id === first?.id) ?? first
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Button look="primary" disabled={test.isPending} onClick={() => test.mutate()}>
        <PrinterIcon aria-hidden size={18} />
        {t('test')}
      </Button>
      <span role="status" className="min-w-0 flex-1">
        {job && t(`test.${job.status}`)}
        {job?.reason && ` · ${t(`fault.${job.reason}`)}`}
      </span>
      <Failure error={test.error} />
    </div>
  )
}
