import { useQueryClient } from '@tanstack/react-query'
import { shippingCreditsTopUp } from 'kasir-client'
import { useState } from 'react'
import { call } from '../../app/service.ts'
import { FormPage } from '../../office/form/form-page.tsx'
import { useForm } from '../../office/form/use-form.ts'
import { useMay } from '../../office/may.tsx'
import { linkIn, numberIn, type PartnerRecord } from '../../office/partner-data.ts'
import { useOfficeSearch } from '../../office/search-state.ts'
import { useDeliveryTexts } from '../../texts/delivery/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { formatRupiah } from '../../ui/rupiah.ts'

/** Prepares the payment of credits at the partner, and leads to its page. */
export function TopUpForm() {
  const d = useDeliveryTexts()
  const may = useMay()
  const [topUp, setTopUp] = useState<PartnerRecord | null>(null)
  const form = useForm<{ amount: number | null }>({
    name: 'delivery:topUp',
    initial: { amount: null },
    save: async ({ amount }, _changes, options) => {
      const returnUrl = `${window.location.origin}/pengiriman?tab=credits`
      setTopUp((await call(shippingCreditsTopUp, { amount, returnUrl }, options)) as PartnerRecord)
    },
    onSaved: () => {},
  })
  if (topUp !== null) return <PaymentPage topUp={topUp} />
  return (
    <FormPage
      title={d('credit.topUpTitle')}
      form={form}
      isReadOnly={!may('shippingCredits.topUp')}
      submitText={d('credit.prepare')}
      fields={[
        {
          kind: 'money',
          name: 'amount',
          label: d('credit.amount'),
          hint: d('credit.amountHint'),
          isRequired: true,
        },
      ]}
    />
  )
}

function PaymentPage({ topUp }: { topUp: PartnerRecord }) {
  const d = useDeliveryTexts()
  const queries = useQueryClient()
  const [, setAddress] = useOfficeSearch()
  const url = linkIn(topUp, 'hostedUrl')
  return (
    <section className="grid max-w-3xl content-start justify-items-start gap-4 p-4 sm:p-6">
      <h1 className="text-2xl font-bold">{d('credit.topUpTitle')}</h1>
      {url === null ? (
        <Notice text={d('credit.noPage')} />
      ) : (
        <>
          <p>{d('credit.ready', { amount: formatRupiah(numberIn(topUp, 'amount')) })}</p>
          <a
            href={url}
            target="_blank"
            rel="noreferrer"
            className="inline-flex min-h-12 items-center rounded-xl bg-brand px-4 font-semibold text-on-brand"
          >
            {d('credit.openPage')}
          </a>
        </>
      )}
      <Button
        onClick={() => {
          void queries.invalidateQueries({ queryKey: ['credits'] })
          void setAddress({ id: null })
        }}
      >
        {d('credit.done')}
      </Button>
    </section>
  )
}
