import { useQueryClient } from '@tanstack/react-query'
import { paymentCustomersCreate, paymentCustomersGet, paymentCustomersUpdate } from 'kasir-client'
import { FormPage } from '../../office/form/form-page.tsx'
import { useForm } from '../../office/form/use-form.ts'
import { useRecord } from '../../office/form/use-record.ts'
import { ModuleFailure } from '../../office/module-gate.tsx'
import { RecordState } from '../../office/record-state.tsx'
import { useOfficeSearch } from '../../office/search-state.ts'
import { usePaymentsTexts } from '../../texts/payments/texts.ts'
import { callPartner, readPartner } from './partner-calls.ts'
import { type PartnerCustomer, readCustomer } from './partner-records.ts'

type CustomerValues = Omit<PartnerCustomer, 'id'>
const NEW: CustomerValues = { name: '', email: null, phone: null }
const toForm = ({ name, email, phone }: PartnerCustomer): CustomerValues => ({ name, email, phone })
const read = (id: string) => readPartner(paymentCustomersGet, readCustomer, { id })

export function CustomerEditor({ id }: { id: string }) {
  const isNew = id === 'new'
  const record = useRecord(['paymentCustomer', id], () => read(id), !isNew)
  if (isNew) return <CustomerForm customer={null} />
  return record.data ? (
    <CustomerForm customer={record.data} />
  ) : (
    <RecordState query={record} ErrorView={ModuleFailure} />
  )
}

/** A customer who can be invoiced for a subscription. */
function CustomerForm({ customer }: { customer: PartnerCustomer | null }) {
  const t = usePaymentsTexts()
  const queries = useQueryClient()
  const [, setAddress] = useOfficeSearch()
  const form = useForm<CustomerValues>({
    name: `paymentCustomer:${customer?.id ?? 'new'}`,
    initial: customer === null ? NEW : toForm(customer),
    save: (values, changes, options) =>
      customer === null
        ? callPartner(paymentCustomersCreate, values, options)
        : callPartner(paymentCustomersUpdate, { ...changes, id: customer.id }, options),
    readAgain: customer === null ? undefined : async () => toForm(await read(customer.id)),
    onSaved: () => {
      void queries.invalidateQueries({ queryKey: ['payments'] })
      void setAddress({ id: null })
    },
  })
  return (
    <FormPage
      title={customer === null ? t('customer.new') : customer.name || customer.id}
      form={form}
      fields={[
        { kind: 'text', name: 'name', label: t('customer.name'), isRequired: true, maxLength: 120 },
        { kind: 'email', name: 'email', label: t('email'), maxLength: 254 },
        { kind: 'tel', name: 'phone', label: t('phone'), maxLength: 20 },
      ]}
    />
  )
}
