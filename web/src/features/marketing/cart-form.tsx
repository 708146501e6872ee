import { useQuery } from '@tanstack/react-query'
import { abandonedCartGet, abandonedCartStats, abandonedCartUpdate } from 'kasir-client'
import { useState } from 'react'
import { call } from '../../app/service.ts'
import { FigureCard } from '../../office/figure-card.tsx'
import type { FieldSpec } from '../../office/form/field-spec.ts'
import { FormPage } from '../../office/form/form-page.tsx'
import { useForm } from '../../office/form/use-form.ts'
import { useRecord } from '../../office/form/use-record.ts'
import { useMay } from '../../office/may.tsx'
import { ModuleFailure } from '../../office/module-gate.tsx'
import { RecordState } from '../../office/record-state.tsx'
import { type MarketingTranslate, useMarketingTexts } from '../../texts/marketing/texts.ts'
import { Failure } from '../../ui/failure.tsx'
import { formatAmount, formatRupiah } from '../../ui/rupiah.ts'

type CartValues = {
  enabled: boolean
  delayHours: number | null
  emailSubject: string
  emailPreview: string
  discountCodeId: string | null
}

async function read(): Promise<CartValues> {
  const { abandonedCart } = await call(abandonedCartGet)
  const { enabled, delayHours, emailSubject, emailPreview, discountCodeId } = abandonedCart
  return { enabled, delayHours, emailSubject, emailPreview, discountCodeId }
}

/** Reminders of bills that customers left open, and what they brought. */
export function CartForm() {
  const [version, setVersion] = useState(0)
  const record = useRecord(['abandonedCart', version], read)
  if (!record.data) return <RecordState query={record} ErrorView={ModuleFailure} />
  return <CartFormPage key={version} cart={record.data} onSaved={() => setVersion((now) => now + 1)} />
}

function CartFormPage({ cart, onSaved }: { cart: CartValues; onSaved(): void }) {
  const m = useMarketingTexts()
  const may = useMay()
  const form = useForm<CartValues>({
    name: 'marketing:carts',
    initial: cart,
    save: (_values, { delayHours, ...changes }, options) =>
      call(
        abandonedCartUpdate,
        { ...changes, ...(delayHours !== undefined && { delayHours: delayHours ?? 0 }) },
        options,
      ),
    readAgain: read,
    onSaved,
  })
  return (
    <FormPage
      title={m('carts')}
      form={form}
      hasList={false}
      isReadOnly={!may('abandonedCart.update')}
      before={
        <>
          <p className="text-muted">{m('cart.text')}</p>
          <CartFigures />
        </>
      }
      fields={fieldsIn(m)}
    />
  )
}

const percent = (bps: number) => `${bps / 100}%`.replace('.', ',')

function CartFigures() {
  const m = useMarketingTexts()
  const stats = useQuery({
    queryKey: ['cartStats'],
    queryFn: () => call(abandonedCartStats),
    refetchOnMount: 'always',
  })
  const { sent, recovered, recoveryRateBps, recoveredRevenue } = stats.data ?? {}
  return (
    <section aria-label={m('cart.stats')} className="grid gap-3">
      <h2 className="font-semibold">{m('cart.stats')}</h2>
      <div className="grid grid-cols-2 gap-3 lg:grid-cols-4">
        <FigureCard label={m('cart.sent')} value={sent} format={formatAmount} />
        <FigureCard label={m('cart.recovered')} value={recovered} format={formatAmount} />
        <FigureCard label={m('cart.rate')} value={recoveryRateBps} format={percent} />
        <FigureCard label={m('cart.revenue')} value={recoveredRevenue} format={formatRupiah} />
      </div>
      <Failure error={stats.error} />
    </section>
  )
}

const fieldsIn = (m: MarketingTranslate): readonly FieldSpec<CartValues>[] => [
  { kind: 'switch', name: 'enabled', label: m('cart.enabled') },
  {
    kind: 'whole',
    name: 'delayHours',
    label: m('cart.delay'),
    isRequired: true,
    min: 1,
    max: 168,
  },
  { kind: 'text', name: 'emailSubject', label: m('cart.subject'), isRequired: true, maxLength: 200 },
  { kind: 'text', name: 'emailPreview', label: m('cart.preview'), isRequired: true, maxLength: 200 },
  {
    kind: 'text',
    name: 'discountCodeId',
    label: m('cart.code'),
    hint: m('cart.codeHint'),
    maxLength: 64,
  },
]
