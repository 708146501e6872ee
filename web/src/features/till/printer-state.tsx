import type { Printer } from 'kasir-client'
import { CircleCheckBig, Plug, TriangleAlert } from 'lucide-react'
import { usePrinter } from '../../printing/printer-store.ts'
import { usePrintingTexts } from '../../texts/printing/texts.ts'
import { classes } from '../../ui/classes.ts'

/** How the printer is, in words. */
export function PrinterState({ printer }: { printer: Printer }) {
  const t = usePrintingTexts()
  const { choice, link, fault, waiting, isHolder } = usePrinter()
  const isMine = choice?.printer.id === printer.id
  const present = isMine ? link : 'none'
  const name = printer.name
  const isGood = present === 'open' && fault === null
  const isBad = present === 'closed' || present === 'forgotten' || fault !== null
  const Icon = isGood ? CircleCheckBig : isBad ? TriangleAlert : Plug
  const text =
    isMine && choice.device.kind === 'rawbt'
      ? t('link.rawbt')
      : t(`link.${present}`, { name: present === 'open' ? `${name} (${choice?.device.name})` : name })
  return (
    <div
      role="status"
      className={classes(
        'flex items-start gap-3 rounded-xl border p-3 font-medium',
        isGood && 'text-good',
        isBad && 'border-danger/40 bg-danger-soft text-danger',
      )}
    >
      <Icon aria-hidden size={20} className="mt-0.5 shrink-0" />
      <div className="grid min-w-0 flex-1 gap-1">
        <p>
          {text} {isMine && fault !== null && t(`fault.${fault}`)}
        </p>
        {isMine && !isHolder && present !== 'none' && <p className="text-sm">{t('link.elsewhere')}</p>}
        {isMine && waiting > 0 && <p className="text-sm">{t('waiting', { n: waiting })}</p>}
      </div>
    </div>
  )
}
