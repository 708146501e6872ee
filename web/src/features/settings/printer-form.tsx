import { useQueryClient } from '@tanstack/react-query'
import { type Printer, printersCreate, printersDelete, printersGet, printersUpdate } from 'kasir-client'
import { call } from '../../app/service.ts'
import { DeleteButton } from '../../office/delete-button.tsx'
import { FormPage } from '../../office/form/form-page.tsx'
import { useForm } from '../../office/form/use-form.ts'
import { useRecord } from '../../office/form/use-record.ts'
import { useMay } from '../../office/may.tsx'
import { RecordState } from '../../office/record-state.tsx'
import { useOfficeSearch } from '../../office/search-state.ts'
import { WithOutlet } from '../../office/with-outlet.tsx'
import { useOfficeTexts } from '../../texts/office/texts.ts'
import { DrawerPanel } from './drawer-panel.tsx'
import {
  createPrinterBody,
  newPrinter,
  type PrinterForm,
  toPrinterForm,
  updatePrinterBody,
} from './printer-values.ts'
import { TestPanel } from './test-panel.tsx'
import { usePrinterFields } from './use-printer-fields.ts'

const read = async (id: string) => (await call(printersGet, { id })).printer

export function PrinterEditor({ id }: { id: string }) {
  const isNew = id === 'new'
  const record = useRecord(['printer', id], () => read(id), !isNew)
  if (isNew)
    return <WithOutlet>{(outlet) => <PrinterFormPage printer={null} outletId={outlet.id} />}</WithOutlet>
  if (!record.data) return <RecordState query={record} />
  return <PrinterFormPage printer={record.data} outletId={record.data.outletId} />
}

function PrinterFormPage({ printer, outletId }: { printer: Printer | null; outletId: string }) {
  const t = useOfficeTexts()
  const may = useMay()
  const queries = useQueryClient()
  const [, setAddress] = useOfficeSearch()
  const finish = () => {
    void queries.invalidateQueries({ queryKey: ['printers'] })
    void setAddress({ id: null })
  }
  const form = useForm<PrinterForm>({
    name: `printer:${printer?.id ?? 'new'}`,
    initial: printer === null ? newPrinter(outletId) : toPrinterForm(printer),
    save: (values, changes, options) =>
      printer === null
        ? call(printersCreate, createPrinterBody(values), options)
        : call(printersUpdate, { ...updatePrinterBody(changes), id: printer.id }, options),
    readAgain: printer === null ? undefined : async () => toPrinterForm(await read(printer.id)),
    onSaved: finish,
  })
  return (
    <FormPage
      title={printer?.name ?? t('printer.new')}
      form={form}
      isReadOnly={!may(printer === null ? 'printers.create' : 'printers.update')}
      fields={usePrinterFields(form, printer)}
      actions={
        printer !== null && (
          <DeleteButton
            route="printers.delete"
            name={printer.name}
            text={t('printer.deleteText')}
            remove={() => call(printersDelete, { id: printer.id })}
            onDone={finish}
            isDirty={form.isDirty}
          />
        )
      }
    >
      {printer !== null && <TestPanel printer={printer} isDirty={form.isDirty} />}
      {printer?.opensDrawer && <DrawerPanel printer={printer} />}
    </FormPage>
  )
}
