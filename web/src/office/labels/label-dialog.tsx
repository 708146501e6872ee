import { useMutation } from '@tanstack/react-query'
import { labelsCreateFile, labelsPrint } from 'kasir-client'
import { Download, FileText, Printer as PrinterIcon } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { call } from '../../app/service.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Picks } from '../../ui/picks.tsx'
import { isValid } from '../form/validity.ts'
import { GoodsFields } from './goods-fields.tsx'
import { fileRequest, firstValues, type LabelValues, printRequest } from './label-values.ts'
import { OutputFields } from './output-fields.tsx'
import type { LabelSource } from './source.ts'
import { useLabelTexts } from './texts.ts'

const LINK =
  'inline-flex min-h-12 items-center justify-center gap-2 rounded-xl bg-brand px-4 font-semibold text-on-brand'

/** A PDF in the memory of the browser, until the dialog closes. */
function useFile() {
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => () => (url === null ? undefined : URL.revokeObjectURL(url)), [url])
  return { url, show: (file: Blob) => setUrl(URL.createObjectURL(file)), drop: () => setUrl(null) }
}

/** Prints price or shelf labels: as a PDF, or on a receipt printer of the service. */
export function LabelDialog({ source, onClose }: { source: LabelSource; onClose(): void }) {
  const t = useLabelTexts()
  const [values, setValues] = useState(() => firstValues(source))
  const [printerName, setPrinterName] = useState('')
  const file = useFile()
  const fields = useRef<HTMLDivElement>(null)
  const [toFile, toPrinter] = [fileRequest(source, values), printRequest(source, values)]
  const make = useMutation({
    mutationFn: async () => {
      if (toFile) file.show(await call(labelsCreateFile, toFile))
    },
  })
  const send = useMutation({
    mutationFn: async () => (toPrinter ? (await call(labelsPrint, toPrinter)).jobs.length : 0),
  })
  const change = (changed: Partial<LabelValues>) => {
    setValues((now) => ({ ...now, ...changed }))
    file.drop()
    make.reset()
    send.reset()
  }
  return (
    <Dialog
      title={t('title')}
      onClose={onClose}
      actions={
        values.output === 'pdf' ? (
          <Button
            look={file.url === null ? 'primary' : 'quiet'}
            className="flex-1"
            disabled={toFile === null || make.isPending}
            onClick={() => isValid(fields.current) && make.mutate()}
          >
            <FileText aria-hidden size={20} />
            {t('make')}
          </Button>
        ) : (
          <Button
            look="primary"
            className="flex-1"
            disabled={toPrinter === null || send.isPending}
            onClick={() => isValid(fields.current) && send.mutate()}
          >
            <PrinterIcon aria-hidden size={20} />
            {t('send')}
          </Button>
        )
      }
    >
      <div ref={fields} className="grid gap-4">
        <GoodsFields source={source} values={values} onChange={change} />
        <Picks
          label={t('design')}
          value={values.design}
          onValue={(design) => change({ design })}
          options={[
            { value: 'PRICE', text: t('price') },
            { value: 'SHELF', text: t('shelf') },
          ]}
        />
        <OutputFields values={values} onChange={change} onPrinterName={setPrinterName} />
        <Failure error={make.error ?? send.error} />
        <div role="status" className="empty:hidden">
          {file.url !== null && (
            <div className="grid gap-2 sm:grid-cols-2">
              <a href={file.url} target="_blank" rel="noreferrer" className={LINK}>
                <FileText aria-hidden size={20} />
                {t('open')}
              </a>
              <a href={file.url} download="label.pdf" className={LINK}>
                <Download aria-hidden size={20} />
                {t('save')}
              </a>
            </div>
          )}
          {send.data !== undefined && t('queued', { n: send.data, printer: printerName })}
        </div>
      </div>
    </Dialog>
  )
}
