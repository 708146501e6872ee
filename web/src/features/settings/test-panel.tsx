import { useMutation } from '@tanstack/react-query'
import { type Printer, printersPrintTest } from 'kasir-client'
import { Printer as PrinterIcon } from 'lucide-react'
import { call } from '../../app/service.ts'
import { May } from '../../office/may.tsx'
import { Panel } from '../../office/panel.tsx'
import { useWatchedJob } from '../../printing/watched-job.ts'
import { useOfficeTexts } from '../../texts/office/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/failure.tsx'
import { JobReason, JobState } from './job-state.tsx'

/** Prints a test page and follows it until the paper is out or the cause is known. */
export function TestPanel({ printer, isDirty }: { printer: Printer; isDirty: boolean }) {
  const t = useOfficeTexts()
  const test = useMutation({ mutationFn: () => call(printersPrintTest, { id: printer.id }) })
  const job = useWatchedJob(test.data?.job)
  return (
    <Panel title={t('printer.test')}>
      <div className="grid gap-3 p-4">
        <p className="text-sm text-muted">
          {t(printer.kind === 'NETWORK' ? 'printer.testText' : 'printer.testTill')}
        </p>
        <div className="flex flex-wrap items-center gap-3">
          <May route="printers.printTest">
            <Button disabled={isDirty || test.isPending} onClick={() => test.mutate()}>
              <PrinterIcon aria-hidden size={18} />
              {t('printer.testNow')}
            </Button>
          </May>
          {isDirty && <span className="text-sm text-muted">{t('printer.saveFirst')}</span>}
          <span role="status" className="flex flex-wrap items-center gap-2">
            {job && <JobState job={job} />}
            {job && <JobReason job={job} />}
          </span>
        </div>
        <Failure error={test.error} />
      </div>
    </Panel>
  )
}
