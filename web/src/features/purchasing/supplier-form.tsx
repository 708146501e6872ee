import { useQueryClient } from '@tanstack/react-query'
import {
  type Supplier,
  type SupplierCreate,
  suppliersCreate,
  suppliersDelete,
  suppliersGet,
  suppliersUpdate,
} from 'kasir-client'
import { call } from '../../app/service.ts'
import { DeleteButton } from '../../office/delete-button.tsx'
import { FormPage } from '../../office/form/form-page.tsx'
import { useForm } from '../../office/form/use-form.ts'
import { useRecord } from '../../office/form/use-record.ts'
import { useMay } from '../../office/may.tsx'
import { RecordState } from '../../office/record-state.tsx'
import { useOfficeSearch } from '../../office/search-state.ts'
import { useOfficeTexts } from '../../texts/office/texts.ts'

type SupplierForm = Required<
  Pick<SupplierCreate, 'name' | 'contact' | 'phone' | 'email' | 'address' | 'note'>
>

const NEW: SupplierForm = { name: '', contact: null, phone: null, email: null, address: null, note: null }
const read = async (id: string) => (await call(suppliersGet, { id })).supplier
const toForm = ({ name, contact, phone, email, address, note }: Supplier): SupplierForm => ({
  name,
  contact,
  phone,
  email,
  address,
  note,
})

export function SupplierEditor({ id }: { id: string }) {
  const isNew = id === 'new'
  const record = useRecord(['supplier', id], () => read(id), !isNew)
  if (isNew) return <SupplierFormPage supplier={null} />
  return record.data ? <SupplierFormPage supplier={record.data} /> : <RecordState query={record} />
}

function SupplierFormPage({ supplier }: { supplier: Supplier | null }) {
  const t = useOfficeTexts()
  const may = useMay()
  const queries = useQueryClient()
  const [, setAddress] = useOfficeSearch()
  const finish = () => {
    void queries.invalidateQueries({ queryKey: ['suppliers'] })
    void setAddress({ id: null })
  }
  const form = useForm<SupplierForm>({
    name: `supplier:${supplier?.id ?? 'new'}`,
    initial: supplier === null ? NEW : toForm(supplier),
    save: (values, changes, options) =>
      supplier === null
        ? call(suppliersCreate, values, options)
        : call(suppliersUpdate, { ...changes, id: supplier.id }, options),
    readAgain: supplier === null ? undefined : async () => toForm(await read(supplier.id)),
    onSaved: finish,
  })
  return (
    <FormPage
      title={supplier?.name ?? t('supplier.new')}
      form={form}
      isReadOnly={!may(supplier === null ? 'suppliers.create' : 'suppliers.update')}
      fields={[
        { kind: 'text', name: 'name', label: t('supplier.name'), isRequired: true, maxLength: 160 },
        { kind: 'text', name: 'contact', label: t('supplier.contact'), maxLength: 160 },
        { kind: 'tel', name: 'phone', label: t('customer.phone'), maxLength: 40 },
        { kind: 'email', name: 'email', label: t('signIn.email'), maxLength: 160 },
        { kind: 'area', name: 'address', label: t('outlet.address'), maxLength: 500, isWide: true },
        { kind: 'area', name: 'note', label: t('customer.note'), maxLength: 1_000, isWide: true },
      ]}
      actions={
        supplier?.isActive && (
          <DeleteButton
            route="suppliers.delete"
            name={supplier.name}
            label={t('supplier.deactivate')}
            text={t('supplier.deactivateText')}
            remove={() => call(suppliersDelete, { id: supplier.id })}
            onDone={finish}
            isDirty={form.isDirty}
          />
        )
      }
    />
  )
}
