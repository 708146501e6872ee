import { useQuery } from '@tanstack/react-query'
import type { Printer } from 'kasir-client'
import { Fragment, useState } from 'react'
import { useTill } from '../../app/till.ts'
import type { DeviceKind } from '../../printing/connection.ts'
import { offeredKinds } from '../../printing/devices.ts'
import { usePrinter } from '../../printing/printer-store.ts'
import { connectPrinter, forgetPrinter, readOwnPrinters } from '../../printing/till-printer.ts'
import { usePrintingTexts } from '../../texts/printing/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Select } from '../../ui/select.tsx'
import { PrinterDrawer } from './printer-drawer.tsx'
import { PrinterState } from './printer-state.tsx'
import { PrinterTest } from './printer-test.tsx'

/** Connects the printer of this till, tests it, and says in words how it is. */
export function PrinterDialog({ onClose }: { onClose(): void }) {
  const t = usePrintingTexts()
  const till = useTill((state) => state.till)
  const own = useQuery({
    queryKey: ['printers', 'own', till?.id],
    queryFn: readOwnPrinters,
    enabled: till !== null,
  })
  return (
    <Dialog title={t('title')} onClose={onClose}>
      <div className="grid gap-4">
        {till === null && <p>{t('till.none')}</p>}
        <Failure error={own.error} />
        {own.data?.length === 0 && <p>{t('printer.none', { till: till?.name ?? '' })}</p>}
        {own.data !== undefined && own.data.length > 0 && <PrinterOfTill printers={own.data} />}
      </div>
    </Dialog>
  )
}

function PrinterOfTill({ printers }: { printers: readonly Printer[] }) {
  const t = usePrintingTexts()
  const choice = usePrinter((state) => state.choice)
  const [id, setId] = useState(choice?.printer.id ?? printers[0]?.id)
  const [isChanging, setChanging] = useState(false)
  const printer = printers.find((each) => each.id === id) ?? printers[0]
  const isConnected = choice !== null && choice.printer.id === printer?.id
  if (!printer) return null
  return (
    <>
      {printers.length > 1 && (
        <Select
          label={t('printer')}
          value={printer.id}
          options={printers.map(({ id: value, name }) => ({ value, text: name }))}
          onValue={setId}
        />
      )}
      <PrinterState printer={printer} />
      {isConnected && <PrinterTest printer={printer} />}
      {isConnected && printer.opensDrawer && <PrinterDrawer printer={printer} />}
      {isConnected && !isChanging ? (
        <div className="grid gap-2 sm:grid-cols-2">
          <Button onClick={() => setChanging(true)}>{t('other')}</Button>
          <Button look="danger" onClick={forgetPrinter}>
            {t('forget')}
          </Button>
        </div>
      ) : (
        <Kinds printer={printer} onChosen={() => setChanging(false)} />
      )}
    </>
  )
}

const BAUD_RATES = [9_600, 19_200, 38_400, 57_600, 115_200]

/** The kinds of connection that this browser offers. A tap opens the dialog of the browser. */
function Kinds({ printer, onChosen }: { printer: Printer; onChosen(): void }) {
  const t = usePrintingTexts()
  const kinds = offeredKinds()
  const [baudRate, setBaudRate] = useState(BAUD_RATES[0] ?? 9_600)
  const [isRefused, setRefused] = useState(false)
  const choose = (kind: DeviceKind) => {
    setRefused(false)
    connectPrinter(printer, kind, baudRate).then(onChosen, () => setRefused(true))
  }
  if (kinds.length === 0) return <p>{t('kind.none')}</p>
  return (
    <section aria-label={t('kind')} className="grid gap-2">
      <h3 className="font-semibold">{t('kind')}</h3>
      {isRefused && <Notice text={t('refused')} />}
      {kinds.map((kind) => (
        <Fragment key={kind}>
          <Button content="start" onClick={() => choose(kind)}>
            {t(`kind.${kind}`)}
          </Button>
          {kind === 'rawbt' && <p className="text-sm text-muted">{t('kind.rawbtHint')}</p>}
        </Fragment>
      ))}
      {kinds.includes('serial') && (
        <Select
          label={t('baudRate')}
          hint={t('baudRateHint')}
          value={String(baudRate)}
          options={BAUD_RATES.map((rate) => ({ value: String(rate), text: String(rate) }))}
          onValue={(rate) => setBaudRate(Number(rate))}
        />
      )}
    </section>
  )
}
