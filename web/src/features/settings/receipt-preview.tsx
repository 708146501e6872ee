import { useState } from 'react'
import { useSession } from '../../app/session.ts'
import { useShop } from '../../offline/shop.ts'
import { EMPTY_CART } from '../../selling/cart.ts'
import { cartTotals, cashDueOf } from '../../selling/cart-totals.ts'
import { chargeRows, chargesOf } from '../../selling/charge-rows.ts'
import { useOfficeTexts } from '../../texts/office/texts.ts'
import { Picks } from '../../ui/picks.tsx'
import { formatAmount } from '../../ui/rupiah.ts'
import { type OutletForm, roundingOf } from './outlet-values.ts'

type Row = { key: string; name: string; amount: number }
const GOODS: readonly Row[] = [
  { key: 'a', name: 'Kopi Susu', amount: 15_000 },
  { key: 'b', name: 'Nasi Goreng', amount: 28_350 },
]

/** The total of a dine-in sale of two goods under the typed terms, by the rule of the service. */
function totalsFor(outlet: OutletForm) {
  const lines = GOODS.map(({ name, amount }, key) => ({
    key,
    itemId: null,
    variantId: null,
    productId: null,
    name,
    variantName: '',
    unitPrice: amount,
    taxRateBps: null,
    quantity: 1,
    modifiers: [],
    discount: null,
    note: '',
  }))
  return cartTotals(
    { ...EMPTY_CART, lines, orderType: 'DINE_IN' },
    {
      ...outlet,
      taxRateBps: outlet.taxRateBps ?? 0,
      serviceChargeBps: outlet.serviceChargeBps ?? 0,
      cashRounding: roundingOf(outlet),
    },
  )
}

/** A preview of the receipt on 58 or 80 mm, while the outlet is edited. */
export function ReceiptPreview({ outlet }: { outlet: OutletForm }) {
  const t = useOfficeTexts()
  const business = useSession((session) => session.account?.businessName)
  const thanks = useShop((shop) => shop.settings?.receiptThanks)
  const [width, setWidth] = useState<'58' | '80'>('58')
  const totals = totalsFor(outlet)
  const cash = cashDueOf(totals.total, totals)
  const rows: readonly Row[] = [
    ...GOODS,
    { key: 'subtotal', name: t('subtotal'), amount: totals.subtotal },
    ...chargeRows(chargesOf(totals, outlet), t),
    { key: 'total', name: t('total'), amount: totals.total },
    ...(cash === totals.total ? [] : [{ key: 'rounding', name: t('rounding'), amount: cash - totals.total }]),
  ]
  return (
    <section aria-label={t('outlet.preview')} className="grid gap-3">
      <h2 className="text-lg font-semibold">{t('outlet.preview')}</h2>
      <div className="max-w-xs">
        <Picks<'58' | '80'>
          label={t('outlet.paper')}
          options={[
            { value: '58', text: '58 mm' },
            { value: '80', text: '80 mm' },
          ]}
          value={width}
          onValue={setWidth}
        />
      </div>
      <div
        className={`overflow-hidden rounded-md border bg-white p-3 font-mono text-xs text-[#1c1917] ${width === '58' ? 'w-60' : 'w-80 max-w-full'}`}
      >
        <p className="text-center text-sm font-bold break-words">{business}</p>
        <p className="text-center break-words">{outlet.name}</p>
        {outlet.address && <p className="text-center break-words whitespace-pre-line">{outlet.address}</p>}
        {outlet.phone && <p className="text-center">{outlet.phone}</p>}
        {outlet.receiptHeader && (
          <p className="mt-1 text-center break-words whitespace-pre-line">{outlet.receiptHeader}</p>
        )}
        <dl className="my-2 border-y border-dashed border-[#78716c] py-2">
          {rows.map(({ key, name, amount }) => (
            <div key={key} className={`flex justify-between gap-2 ${key === 'total' ? 'font-bold' : ''}`}>
              <dt className="min-w-0 break-words">{name}</dt>
              <dd className="amount">{formatAmount(amount)}</dd>
            </div>
          ))}
        </dl>
        {outlet.receiptFooter && (
          <p className="text-center break-words whitespace-pre-line">{outlet.receiptFooter}</p>
        )}
        {thanks && <p className="text-center break-words">{thanks}</p>}
      </div>
    </section>
  )
}
