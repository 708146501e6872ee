import { useQuery } from '@tanstack/react-query'
import { customersCreate, customersList } from 'kasir-client'
import { UserRoundPlus, UserRoundX } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import { call } from '../../app/service.ts'
import { newKey } from '../../offline/key.ts'
import type { CartCustomer } from '../../selling/cart.ts'
import { useCart } from '../../selling/cart-store.ts'
import { useTexts } from '../../texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Field } from '../../ui/field.tsx'

/** Finds a customer by name or phone, or takes a new one: name and phone are enough. */
export function CustomerDialog({ onClose }: { onClose(): void }) {
  const t = useTexts()
  const customer = useCart((cart) => cart.customer)
  const change = useCart((cart) => cart.change)
  const [text, setText] = useState('')
  const query = useDeferredValue(text.trim())
  const found = useQuery({
    queryKey: ['customers', query],
    queryFn: () => call(customersList, { q: query, limit: 20 }),
    enabled: query.length >= 2,
  })
  const choose = (chosen: CartCustomer | null) => {
    change((cart) => ({ ...cart, customer: chosen }))
    onClose()
  }
  const customers = found.data?.customers ?? []
  return (
    <Dialog title={t('customer')} onClose={onClose}>
      <div className="grid gap-3">
        {customer !== null && (
          <Button onClick={() => choose(null)}>
            <UserRoundX aria-hidden size={20} />
            {t('customer.remove', { name: customer.name })}
          </Button>
        )}
        <Field
          label={t('customer.find')}
          value={text}
          autoComplete="off"
          onChange={({ target }) => setText(target.value)}
        />
        <Failure error={found.error} />
        <ul aria-label={t('customer.found')} className="grid gap-1">
          {customers.map(({ id, name, phone }) => (
            <li key={id}>
              <Button
                look="quiet"
                content="spread"
                className="w-full"
                onClick={() => choose({ id, name, phone })}
              >
                <span className="truncate">{name}</span>
                <span className="text-sm text-muted tabular-nums">{phone}</span>
              </Button>
            </li>
          ))}
        </ul>
        {query.length >= 2 && found.isSuccess && <NewCustomer key={query} typed={query} onCreated={choose} />}
      </div>
    </Dialog>
  )
}

function NewCustomer({ typed, onCreated }: { typed: string; onCreated(customer: CartCustomer): void }) {
  const t = useTexts()
  const isPhone = /^[\d+\s-]+$/.test(typed)
  const [name, setName] = useState(isPhone ? '' : typed)
  const [phone, setPhone] = useState(isPhone ? typed : '')
  const [error, setError] = useState<unknown>(null)
  const [idempotencyKey] = useState(newKey)
  const create = async () => {
    try {
      const body = { name: name.trim(), phone: phone.trim() === '' ? null : phone.trim() }
      const { customer } = await call(customersCreate, body, { idempotencyKey })
      onCreated(customer)
    } catch (caught) {
      setError(caught)
    }
  }
  return (
    <form
      className="grid gap-3 border-t pt-3"
      onSubmit={(event) => {
        event.preventDefault()
        void create()
      }}
    >
      <Field
        label={t('customer.name')}
        value={name}
        maxLength={200}
        onChange={({ target }) => setName(target.value)}
      />
      <Field
        label={t('customer.phone')}
        value={phone}
        inputMode="tel"
        maxLength={40}
        onChange={({ target }) => setPhone(target.value)}
      />
      <Failure error={error} />
      <Button type="submit" disabled={name.trim() === ''}>
        <UserRoundPlus aria-hidden size={20} />
        {t('customer.create')}
      </Button>
    </form>
  )
}
