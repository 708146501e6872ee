import { useMutation } from '@tanstack/react-query'
import { paymentReceiptsGetEscpos } from 'kasir-client'
import { Printer } from 'lucide-react'
import { ModuleFailure } from '../../office/module-gate.tsx'
import { useHasPrinter } from '../../printing/has-printer.ts'
import { usePaymentsTexts } from '../../texts/payments/texts.ts'
import { Button } from '../../ui/button.tsx'
import { tillPapers } from '../../ui/print.ts'
import { PageLink } from './page-link.tsx'
import { callPartner } from './partner-calls.ts'

/** Prints a receipt on the printer of this till; without one it opens as a page, which the browser prints. */
export function ReceiptPrint({ id, lang }: { id: string; lang: string }) {
  const t = usePaymentsTexts()
  const hasPrinter = useHasPrinter()
  const print = useMutation({
    mutationFn: async () => {
      const bytes = (await callPartner(paymentReceiptsGetEscpos, { id })) as Blob
      const papers = await tillPapers()
      await papers?.printBytes(new Uint8Array(await bytes.arrayBuffer()))
    },
  })
  if (!hasPrinter)
    return <PageLink text={t('print')} path={`receipts/${encodeURIComponent(id)}/html`} lang={lang} />
  return (
    <span className="grid gap-2">
      <Button disabled={print.isPending} onClick={() => print.mutate()}>
        <Printer aria-hidden size={18} />
        {t('print')}
      </Button>
      <ModuleFailure error={print.error} />
    </span>
  )
}
