import { useQuery } from '@tanstack/react-query'
import { customersList, isKasirError } from 'kasir-client'
import { CloudOff, UserRoundPlus, UserRoundX } from 'lucide-react'
import { useDeferredValue, useMemo, useState } from 'react'
import { isOnline, useIsOnline } from '../../app/line.ts'
import { call } from '../../app/service.ts'
import { useSession } from '../../app/session.ts'
import {
  createCustomer,
  findCustomers,
  knownOf,
  noteCustomers,
  readCustomers,
} from '../../offline/customers.ts'
import { newKey } from '../../offline/key.ts'
import { useOutbox } from '../../offline/outbox.ts'
import type { CartCustomer, NewCustomer } from '../../selling/cart.ts'
import { useCart } from '../../selling/cart-store.ts'
import { useRegister } from '../../selling/register-store.ts'
import { useTexts } from '../../texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Field } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { TAKES_CODE } from '../../ui/use-scanner.ts'

/** Finds a customer by name or phone, or takes a new one: name and phone are enough. */
export function CustomerDialog({ onClose }: { onClose(): void }) {
  const t = useTexts()
  const { customer, attempt, change } = useCart()
  const [text, setText] = useState('')
  const query = useDeferredValue(text.trim())
  const hasLine = useIsOnline()
  const found = useFoundCustomers(query, hasLine)
  const choose = (chosen: CartCustomer | null) => {
    if (useCart.getState().attempt !== null) return
    change((cart) => ({ ...cart, customer: chosen }))
    onClose()
  }
  const customers = found.data ?? []
  return (
    <Dialog title={t('customer')} onClose={onClose}>
      <fieldset disabled={attempt !== null} className="grid min-w-0 gap-3">
        {attempt !== null && <Notice text={t('pay.unknown')} />}
        {customer !== null && (
          <Button onClick={() => choose(null)}>
            <UserRoundX aria-hidden size={20} />
            {t('customer.remove', { name: customer.name })}
          </Button>
        )}
        <Field
          label={t('customer.find')}
          {...TAKES_CODE}
          value={text}
          autoComplete="off"
          onChange={({ target }) => setText(target.value)}
        />
        {!hasLine && (
          <p className="flex items-center gap-2 text-sm text-muted">
            <CloudOff aria-hidden size={18} className="shrink-0" />
            {t('customer.offline')}
          </p>
        )}
        <Failure error={found.error} />
        <ul aria-label={t('customer.found')} className="grid gap-1">
          {customers.map((each) => (
            <li key={each.id ?? each.key}>
              <Button look="quiet" content="spread" className="w-full" onClick={() => choose(each)}>
                <span className="truncate">{each.name}</span>
                <span className="text-sm text-muted tabular-nums">{each.phone}</span>
              </Button>
            </li>
          ))}
        </ul>
        {query.length >= 2 && found.isSuccess && (
          <NewCustomerForm key={query} typed={query} onCreated={choose} />
        )}
      </fieldset>
    </Dialog>
  )
}

/** The customers that match a text: from the service or, offline, from this device. */
function useFoundCustomers(query: string, hasLine: boolean) {
  const accountId = useSession((session) => session.account?.id ?? '')
  const rows = useOutbox((outbox) => outbox.rows)
  const unsent = useMemo(
    () => rows.flatMap(({ cart: { customer } }): NewCustomer[] => (customer?.id === null ? [customer] : [])),
    [rows],
  )
  return useQuery({
    queryKey: ['customers', query, hasLine, unsent.length],
    queryFn: async (): Promise<readonly CartCustomer[]> => {
      if (!hasLine) return findCustomers([...unsent, ...(await readCustomers(accountId))], query)
      const { customers } = await call(customersList, { q: query, limit: 20 })
      const known = customers.map(knownOf)
      await noteCustomers(accountId, known)
      return known
    },
    enabled: query.length >= 2,
  })
}

function NewCustomerForm({ typed, onCreated }: { typed: string; onCreated(customer: CartCustomer): void }) {
  const t = useTexts()
  const isPhone = /^[\d+\s-]+$/.test(typed)
  const [name, setName] = useState(isPhone ? '' : typed)
  const [phone, setPhone] = useState(isPhone ? typed : '')
  const [error, setError] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)
  const [key] = useState(newKey)
  const accountId = useSession((session) => session.account?.id ?? '')
  const create = async () => {
    const { dialog } = useRegister.getState()
    // An answer that comes after the dialog was closed chooses no customer: the next sale may have begun.
    const isClosed = () => useRegister.getState().dialog !== dialog
    const customer: NewCustomer = { id: null, key, name: name.trim(), phone: phone.trim() || null }
    setBusy(true)
    try {
      const created = isOnline() ? await createCustomer(accountId, customer) : customer
      if (!isClosed()) onCreated(created)
    } catch (caught) {
      if (isClosed()) return
      // The sale takes the customer along: the same key creates the customer once.
      if (!isKasirError(caught)) return onCreated(customer)
      setError(caught)
      setBusy(false)
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
        maxLength={120}
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
      <Button type="submit" disabled={isBusy || name.trim() === ''}>
        <UserRoundPlus aria-hidden size={20} />
        {t('customer.create')}
      </Button>
    </form>
  )
}
