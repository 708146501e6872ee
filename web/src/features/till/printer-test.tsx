import { useMutation } from '@tanstack/react-query'
import { type Printer, printersPrintTest } from 'kasir-client'
import { Printer as PrinterIcon } from 'lucide-react'
import { call } from '../../app/service.ts'
import { checkForJobs } from '../../printing/till-printer.ts'
import { useWatchedJob } from '../../printing/watched-job.ts'
import { usePrintingTexts } from '../../texts/printing/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/failure.tsx'

/** Prints a test page by the way of every job, and follows it. */
export function PrinterTest({ printer: { id } }: { printer: Printer }) {
  const t = usePrintingTexts()
  const test = useMutation({
    mutationFn: () => call(printersPrintTest, { id }),
    onSuccess: () => checkForJobs(),
  })
  const job = useWatchedJob(test.data?.job)
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
