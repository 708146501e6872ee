import { useQueryClient } from '@tanstack/react-query'
import { type Outlet, outletsCreate, outletsDelete, outletsGet, outletsUpdate } from 'kasir-client'
import { call } from '../../app/service.ts'
import { DeleteButton } from '../../office/delete-button.tsx'
import { FormPage } from '../../office/form/form-page.tsx'
import { useForm } from '../../office/form/use-form.ts'
import { useRecord } from '../../office/form/use-record.ts'
import { useMay } from '../../office/may.tsx'
import { RecordState } from '../../office/record-state.tsx'
import { useOfficeSearch } from '../../office/search-state.ts'
import { useShop } from '../../offline/shop.ts'
import { useOfficeTexts } from '../../texts/office/texts.ts'
import { chargeFields, placeFields, receiptFields } from './outlet-fields.ts'
import { NEW_OUTLET, type OutletForm, outletBody, toOutletForm } from './outlet-values.ts'
import { ReceiptPreview } from './receipt-preview.tsx'

const read = async (id: string) => (await call(outletsGet, { id })).outlet

export function OutletEditor({ id }: { id: string }) {
  const isNew = id === 'new'
  const record = useRecord(['outlet', id], () => read(id), !isNew)
  if (isNew) return <OutletFormPage outlet={null} />
  return record.data ? <OutletFormPage outlet={record.data} /> : <RecordState query={record} />
}

function OutletFormPage({ outlet }: { outlet: Outlet | null }) {
  const t = useOfficeTexts()
  const may = useMay()
  const queries = useQueryClient()
  const [, setAddress] = useOfficeSearch()
  const finish = () => {
    void queries.invalidateQueries({ queryKey: ['outlets'] })
    // The register on this device charges by the new terms.
    void useShop.getState().refresh()
    void setAddress({ id: null })
  }
  const form = useForm<OutletForm>({
    name: `outlet:${outlet?.id ?? 'new'}`,
    initial: outlet === null ? NEW_OUTLET : toOutletForm(outlet),
    save: (values, changes, options) => {
      if (outlet === null)
        return call(outletsCreate, { ...outletBody(values, values), name: values.name }, options)
      return call(outletsUpdate, { ...outletBody(values, changes), id: outlet.id }, options)
    },
    readAgain: outlet === null ? undefined : async () => toOutletForm(await read(outlet.id)),
    onSaved: finish,
  })
  return (
    <FormPage
      title={outlet?.name ?? t('outlet.new')}
      form={form}
      isReadOnly={!may(outlet === null ? 'outlets.create' : 'outlets.update')}
      fields={[...placeFields(t, form.values.timezone), ...chargeFields(t), ...receiptFields(t)]}
      actions={
        outlet !== null && (
          <DeleteButton
            route="outlets.delete"
            name={outlet.name}
            text={t('outlet.deleteText')}
            remove={() => call(outletsDelete, { id: outlet.id })}
            onDone={finish}
            isDirty={form.isDirty}
          />
        )
      }
    >
      <ReceiptPreview outlet={form.values} />
    </FormPage>
  )
}
