import { useQuery, useQueryClient } from '@tanstack/react-query'
import {
  type Customer,
  type CustomerCreate,
  customerGroupsList,
  customersCreate,
  customersDelete,
  customersGet,
  customersUpdate,
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
import { CustomerCredit } from './customer-credit.tsx'
import { CustomerCards, CustomerSales } from './customer-history.tsx'
import { CustomerPoints } from './customer-points.tsx'

type CustomerForm = Required<
  Pick<CustomerCreate, 'name' | 'phone' | 'email' | 'note' | 'groupIds' | 'creditLimit'>
>

const read = async (id: string) => (await call(customersGet, { id })).customer
const toForm = ({ name, phone, email, note, groupIds, creditLimit }: Customer): CustomerForm => ({
  name,
  phone,
  email,
  note,
  groupIds,
  creditLimit,
})
const NEW: CustomerForm = { name: '', phone: null, email: null, note: null, groupIds: [], creditLimit: 0 }

/** Groups decide prices and the limit decides debts, so a cashier sends neither (B-group-2, B-credit-1). */
const createBody = ({ groupIds, creditLimit, ...rest }: CustomerForm): CustomerCreate => ({
  ...rest,
  ...(groupIds.length > 0 && { groupIds }),
  ...(creditLimit > 0 && { creditLimit }),
})

export function CustomerEditor({ id }: { id: string }) {
  const isNew = id === 'new'
  const record = useRecord(['customer', id], () => read(id), !isNew)
  if (isNew) return <CustomerFormPage customer={null} onChange={() => {}} />
  if (!record.data) return <RecordState query={record} />
  return <CustomerFormPage customer={record.data} onChange={() => void record.refetch()} />
}

type FormPageProps = { customer: Customer | null; onChange(): void }

function CustomerFormPage({ customer, onChange }: FormPageProps) {
  const t = useOfficeTexts()
  const may = useMay()
  const queries = useQueryClient()
  const [, setAddress] = useOfficeSearch()
  // Managers decide about groups and about credit.
  const mayGroup = may('customerGroups.assign')
  const groups = useQuery({
    queryKey: ['customerGroups'],
    queryFn: async () => (await call(customerGroupsList)).customerGroups,
    enabled: mayGroup,
  })
  const finish = () => {
    void queries.invalidateQueries({ queryKey: ['customers'] })
    void setAddress({ id: null })
  }
  const form = useForm<CustomerForm>({
    name: `customer:${customer?.id ?? 'new'}`,
    initial: customer === null ? NEW : toForm(customer),
    save: (values, changes, options): Promise<unknown> =>
      customer === null
        ? call(customersCreate, createBody(values), options)
        : call(customersUpdate, { ...changes, id: customer.id }, options),
    readAgain: customer === null ? undefined : async () => toForm(await read(customer.id)),
    onSaved: finish,
  })
  return (
    <FormPage
      title={customer?.name ?? t('customer.new')}
      form={form}
      isReadOnly={!may(customer === null ? 'customers.create' : 'customers.update')}
      fields={[
        { kind: 'text', name: 'name', label: t('customer.name'), isRequired: true, maxLength: 120 },
        { kind: 'tel', name: 'phone', label: t('customer.phone'), maxLength: 40 },
        { kind: 'email', name: 'email', label: t('signIn.email'), maxLength: 200 },
        { kind: 'area', name: 'note', label: t('customer.note'), maxLength: 500, isWide: true },
        {
          kind: 'money',
          name: 'creditLimit',
          label: t('credit.limit'),
          hint: t('credit.limitHint'),
          isShown: () => mayGroup,
        },
        {
          kind: 'many',
          name: 'groupIds',
          label: t('groups'),
          options: (groups.data ?? []).map(({ id, name }) => ({ value: id, text: name })),
          isWide: true,
          isShown: () => mayGroup && (groups.data ?? []).length > 0,
        },
      ]}
      actions={
        customer !== null && (
          <DeleteButton
            route="customers.delete"
            name={customer.name}
            text={t('customer.deleteText')}
            remove={() => call(customersDelete, { id: customer.id })}
            onDone={finish}
            isDirty={form.isDirty}
          />
        )
      }
    >
      {customer !== null && (
        <div className="grid items-start gap-4 lg:grid-cols-2">
          {(customer.creditLimit > 0 || customer.creditBalance > 0) && (
            <CustomerCredit customer={customer} onChange={onChange} />
          )}
          <CustomerPoints customer={customer} onChange={onChange} />
          <CustomerCards customerId={customer.id} />
          <CustomerSales customerId={customer.id} />
        </div>
      )}
    </FormPage>
  )
}
