import { useMutation } from '@tanstack/react-query'
import { isKasirError, type PrintJob, printJobsReprint } from 'kasir-client'
import { Printer, RotateCcw, X } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { call } from '../../app/service.ts'
import { usePrinter } from '../../printing/printer-store.ts'
import { checkForJobs, dismissFailed, printAgain } from '../../printing/till-printer.ts'
import { usePrintingTexts } from '../../texts/printing/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Failure } from '../../ui/failure.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'

const PrinterDialog = lazyPart(() => import('./printer-dialog.tsx').then((file) => file.PrinterDialog))

/** A fault of the printer of this till with its remedy, or the papers that failed. Empty while it prints. */
export function PrinterBand() {
  const t = usePrintingTexts()
  const { choice, link, fault, waiting, failed, unprinted, error } = usePrinter()
  if (choice === null) return null
  const { name } = choice.printer
  const hasFailed = failed.length + unprinted > 0
  const isHandOver = choice.device.kind === 'rawbt'
  return (
    <>
      {hasFailed && <FailedPapers />}
      {!hasFailed && link === 'closed' && (
        <Band text={`${t('link.closed', { name })} ${fault === null ? '' : t(`fault.${fault}`)}`} />
      )}
      {!hasFailed && link === 'open' && fault !== null && <Band text={`${name}: ${t(`fault.${fault}`)}`} />}
      {link === 'forgotten' && (
        <Band text={t('link.forgotten', { name })}>
          <ConnectButton />
        </Band>
      )}
      {isHandOver && waiting > 0 && (
        <Band text={t('waiting', { n: waiting })}>
          <Button onClick={() => void checkForJobs()}>
            <Printer aria-hidden size={18} />
            {t('print')}
          </Button>
        </Band>
      )}
      <Failure error={error} />
    </>
  )
}

function Band({ text, children }: { text: string; children?: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b bg-danger-soft px-4 py-2 text-danger">
      <Printer aria-hidden size={22} className="shrink-0" />
      <p role="status" className="min-w-40 flex-1 font-semibold text-balance">
        {text}
      </p>
      <div className="ml-auto flex items-center gap-2">{children}</div>
    </div>
  )
}

function ConnectButton() {
  const t = usePrintingTexts()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>{t('connect')}</Button>
      {isOpen && <PrinterDialog onClose={() => setOpen(false)} />}
    </>
  )
}

/** Prints all failed papers again, but opens no drawer. A job that the service refuses does not stop the others. */
async function reprintAll(failed: readonly PrintJob[]) {
  // The papers of this browser need no service.
  printAgain()
  const refusals: unknown[] = []
  for (const { id } of failed.filter(({ kind }) => kind !== 'DRAWER').toReversed()) {
    await call(printJobsReprint, { id }).catch((error: unknown) => {
      if (!isKasirError(error)) throw error
      refusals.push(error)
    })
  }
  if (refusals.length > 0) throw refusals[0]
}

/** The papers that did not come, with the cause of the last one. */
function FailedPapers() {
  const t = usePrintingTexts()
  const { failed, unprinted, fault } = usePrinter()
  const [isAsking, setAsking] = useState(false)
  const [last] = failed
  const reprint = useMutation({
    mutationFn: () => reprintAll(failed),
    onSettled: () => checkForJobs(),
  })
  const count = failed.length + unprinted
  const single =
    last?.kind === 'DRAWER'
      ? t('failed.drawer')
      : t('failed.one', { job: t(last ? `job.${last.kind}` : 'job.one') })
  const what = count === 1 ? single : t('failed.more', { n: count })
  const reason = last?.reason ?? fault
  const isLateDrawer = last?.kind === 'DRAWER' && reason === 'TOO_OLD'
  const dismiss = () => dismissFailed(failed.map(({ id }) => id))
  const cause = isLateDrawer ? t('failed.drawerLate') : reason && t(`fault.${reason}`)
  return (
    <Band text={`${what} ${cause ?? ''}`}>
      {(unprinted > 0 || failed.some(({ kind }) => kind !== 'DRAWER')) && (
        <Button disabled={reprint.isPending} onClick={() => reprint.mutate()}>
          <RotateCcw aria-hidden size={18} />
          {t('reprint')}
        </Button>
      )}
      <Button
        look="quiet"
        size="icon"
        aria-label={t('dismiss')}
        onClick={() => (unprinted > 0 ? setAsking(true) : dismiss())}
      >
        <X aria-hidden size={20} />
      </Button>
      <Failure error={reprint.error} />
      {isAsking && <DiscardDialog count={unprinted} onDiscard={dismiss} onClose={() => setAsking(false)} />}
    </Band>
  )
}

type DiscardDialogProps = { count: number; onDiscard(): void; onClose(): void }

/** Asks before papers are discarded that only this browser has. The service keeps its jobs. */
function DiscardDialog({ count, onDiscard, onClose }: DiscardDialogProps) {
  const t = usePrintingTexts()
  const discard = () => {
    onClose()
    onDiscard()
  }
  return (
    <Dialog
      title={t('discard.title')}
      onClose={onClose}
      actions={
        <Button look="danger" size="large" className="flex-1" onClick={discard}>
          {t('discard.now')}
        </Button>
      }
    >
      <p>{t('discard.text', { n: count })}</p>
    </Dialog>
  )
}
