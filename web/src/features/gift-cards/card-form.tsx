import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type Customer, customersList, giftCardsIssue } from 'kasir-client'
import { type KeyboardEvent, useState } from 'react'
import { call } from '../../app/service.ts'
import { FormPage } from '../../office/form/form-page.tsx'
import { useForm } from '../../office/form/use-form.ts'
import { useOfficeSearch } from '../../office/search-state.ts'
import { useOfficeTexts } from '../../texts/office/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { formatRupiah } from '../../ui/rupiah.ts'

type IssueForm = {
  amount: number | null
  code: string | null
  note: string | null
  customerId: string | null
}

const AMOUNTS = [50_000, 100_000, 200_000, 500_000]

/** Issues a gift card; its code is made up by the service unless one is typed. */
export function CardForm() {
  const t = useOfficeTexts()
  const queries = useQueryClient()
  const [, setAddress] = useOfficeSearch()
  const [issued, setIssued] = useState<string | null>(null)
  const form = useForm<IssueForm>({
    name: 'giftCard:new',
    initial: { amount: null, code: null, note: null, customerId: null },
    save: async ({ amount, ...fields }, _changes, options) => {
      const { giftCard } = await call(giftCardsIssue, { ...fields, amount: amount ?? 0 }, options)
      void queries.invalidateQueries({ queryKey: ['giftCards'] })
      setIssued(giftCard.code)
      void setAddress({ id: giftCard.code }, true)
    },
    onSaved: () => {},
  })
  if (issued !== null) return null
  return (
    <FormPage
      title={t('card.new')}
      form={form}
      submitText={t('card.issue')}
      before={
        <div className="flex flex-wrap gap-2">
          {AMOUNTS.map((amount) => (
            <Button key={amount} onClick={() => form.set({ amount })}>
              {formatRupiah(amount)}
            </Button>
          ))}
        </div>
      }
      fields={[
        { kind: 'money', name: 'amount', label: t('amount'), isRequired: true },
        { kind: 'text', name: 'code', label: t('card.code'), hint: t('card.codeHint'), maxLength: 64 },
        { kind: 'text', name: 'note', label: t('customer.note'), maxLength: 300, isWide: true },
      ]}
    >
      <CustomerChoice
        customerId={form.values.customerId}
        onCustomer={(customerId) => form.set({ customerId })}
      />
    </FormPage>
  )
}

/** The customer that a card belongs to, found by name or phone. */
function CustomerChoice({
  customerId,
  onCustomer,
}: {
  customerId: string | null
  onCustomer(id: string | null): void
}) {
  const t = useOfficeTexts()
  const [text, setText] = useState('')
  const [name, setName] = useState('')
  const q = text.trim()
  const found = useQuery({
    queryKey: ['customerChoice', q],
    queryFn: async () => (await call(customersList, { q, limit: 5 })).customers,
    enabled: q.length > 1,
  })
  const matches = q.length > 1 ? (found.data ?? []) : []
  const choose = ({ id, name: chosen }: Pick<Customer, 'id' | 'name'>) => {
    setName(chosen)
    onCustomer(id)
  }
  const chooseOnEnter = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return
    // The form would issue the card without its customer.
    event.preventDefault()
    const [only, ...others] = matches
    if (only !== undefined && others.length === 0) choose(only)
  }
  if (customerId !== null)
    return (
      <p className="flex items-center gap-3 rounded-xl border bg-panel py-1 pr-1 pl-4">
        <span className="min-w-0 flex-1 font-semibold break-words">{name || customerId}</span>
        <Button look="quiet" onClick={() => onCustomer(null)}>
          {t('stock.other')}
        </Button>
      </p>
    )
  return (
    <div className="grid max-w-md gap-2">
      <Field
        label={t('card.customer')}
        type="search"
        autoComplete="off"
        value={text}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={chooseOnEnter}
      />
      <ul aria-label={t('card.customer')} className="divide-y rounded-xl border bg-panel empty:hidden">
        {matches.map((customer) => (
          <li key={customer.id}>
            <button
              type="button"
              className="flex min-h-11 w-full items-center gap-3 px-3 text-left text-sm hover:bg-brand-soft"
              onClick={() => choose(customer)}
            >
              <span className="min-w-0 flex-1 break-words">{customer.name}</span>
              <span className="text-muted">{customer.phone}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}
