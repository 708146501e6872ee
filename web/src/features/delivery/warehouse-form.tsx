import { useQueryClient } from '@tanstack/react-query'
import { warehousesCreate, warehousesDelete, warehousesGet, warehousesUpdate } from 'kasir-client'
import { call } from '../../app/service.ts'
import { DeleteButton } from '../../office/delete-button.tsx'
import type { FieldSpec } from '../../office/form/field-spec.ts'
import { FormPage } from '../../office/form/form-page.tsx'
import { useForm } from '../../office/form/use-form.ts'
import { useRecord } from '../../office/form/use-record.ts'
import { useMay } from '../../office/may.tsx'
import { ModuleFailure } from '../../office/module-gate.tsx'
import { readRecord, textIn } from '../../office/partner-data.ts'
import { RecordState } from '../../office/record-state.tsx'
import { useOfficeSearch } from '../../office/search-state.ts'
import { type DeliveryTranslate, useDeliveryTexts } from '../../texts/delivery/texts.ts'

type WarehouseValues = { name: string; address: string; postalCode: string; isActive: boolean }

const NEW: WarehouseValues = { name: '', address: '', postalCode: '', isActive: true }

async function read(id: string): Promise<WarehouseValues> {
  const record = await readRecord(warehousesGet, { id })
  return {
    name: textIn(record, 'name'),
    address: textIn(record, 'address'),
    postalCode: textIn(record, 'postalCode'),
    isActive: record['isActive'] === true,
  }
}

export function WarehouseEditor({ id }: { id: string }) {
  const isNew = id === 'new'
  const record = useRecord(['warehouse', id], () => read(id), !isNew)
  if (isNew) return <WarehouseFormPage id={null} initial={NEW} />
  if (!record.data) return <RecordState query={record} ErrorView={ModuleFailure} />
  return <WarehouseFormPage id={id} initial={record.data} />
}

function WarehouseFormPage({ id, initial }: { id: string | null; initial: WarehouseValues }) {
  const d = useDeliveryTexts()
  const may = useMay()
  const queries = useQueryClient()
  const [, setAddress] = useOfficeSearch()
  const finish = () => {
    for (const key of ['warehouses', 'levels']) void queries.invalidateQueries({ queryKey: [key] })
    void setAddress({ id: null })
  }
  const form = useForm<WarehouseValues>({
    name: `warehouse:${id ?? 'new'}`,
    initial,
    save: (values, changes, options) =>
      id === null
        ? call(warehousesCreate, values, options)
        : call(warehousesUpdate, { ...changes, id }, options),
    readAgain: id === null ? undefined : () => read(id),
    onSaved: finish,
  })
  return (
    <FormPage
      title={id === null ? d('warehouse.new') : initial.name}
      form={form}
      isReadOnly={!may(id === null ? 'warehouses.create' : 'warehouses.update')}
      fields={fieldsIn(d)}
      actions={
        id !== null && (
          <DeleteButton
            route="warehouses.delete"
            name={initial.name}
            text={d('warehouse.deleteText')}
            remove={() => call(warehousesDelete, { id })}
            onDone={finish}
            isDirty={form.isDirty}
          />
        )
      }
    />
  )
}

const fieldsIn = (d: DeliveryTranslate): readonly FieldSpec<WarehouseValues>[] => [
  { kind: 'text', name: 'name', label: d('warehouse.name'), isRequired: true, maxLength: 120 },
  {
    kind: 'text',
    name: 'postalCode',
    label: d('place.postalCode'),
    hint: d('place.postalCodeHint'),
    isRequired: true,
    maxLength: 5,
  },
  {
    kind: 'area',
    name: 'address',
    label: d('place.address'),
    isRequired: true,
    maxLength: 500,
    isWide: true,
  },
  { kind: 'switch', name: 'isActive', label: d('warehouse.isActive') },
]
