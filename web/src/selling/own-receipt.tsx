import { useSession } from '../app/session.ts'
import { type OutboxRow, soldAtOf } from '../offline/outbox-row.ts'
import { outletZone } from '../offline/shop.ts'
import { type Translate, useTexts } from '../texts/texts.ts'
import { formatAmount } from '../ui/rupiah.ts'
import { formatMoment } from '../ui/time.ts'
import { grossOf, lineDiscountOf } from './cart-totals.ts'
import { chargeRows } from './charge-rows.ts'
import { quantityText } from './quantity.ts'

/** The receipt of a sale that the service does not have yet: it bears the reference instead of a number. */
export function OwnReceipt({ row }: { row: OutboxRow }) {
  const t = useTexts()
  const business = useSession((session) => session.account?.businessName)
  const { receipt, cart, tenders } = row
  return (
    <div className="receipt">
      <p>{business}</p>
      <p>{row.outletName}</p>
      <p>
        {row.ref} · {formatMoment(soldAtOf(row), outletZone(row.body.outletId))}
      </p>
      <p>{row.seller.name}</p>
      <dl>
        {cart.lines.map((line) => (
          <Row
            key={line.key}
            name={[
              [quantityText(line), line.pack?.name, line.name].filter(Boolean).join(' '),
              line.variantName,
              ...line.modifiers.map(({ name }) => name),
            ]
              .filter(Boolean)
              .join(' · ')}
            amount={grossOf(line) - lineDiscountOf(line)}
          />
        ))}
        {(receipt.promotions ?? []).map(({ id, name, amount }) => (
          <Row key={id} name={name} amount={-amount} />
        ))}
        {chargesIn(receipt, t).map(({ key, name, amount }) => (
          <Row key={key} name={name} amount={amount} />
        ))}
        <Row name={t('total')} amount={receipt.total} />
        {(receipt.rounding ?? 0) !== 0 && <Row name={t('rounding')} amount={receipt.rounding ?? 0} />}
        {tenders.map(({ method, amount, tendered }, at) => (
          <Row key={at} name={t(`tender.${method}`)} amount={tendered ?? amount} />
        ))}
        <Row name={t('change')} amount={receipt.change} />
      </dl>
      <p>{t('receipt.provisional')}</p>
    </div>
  )
}

/** A sale that an older version of this app rang up has no list of charges. */
const chargesIn = ({ charges, orderDiscount, taxTotal }: OutboxRow['receipt'], t: Translate) =>
  charges
    ? chargeRows(charges, t)
    : [
        { key: 'discount', name: t('discount.order'), amount: -orderDiscount },
        { key: 'tax', name: t('tax'), amount: taxTotal },
      ].filter(({ amount }) => amount !== 0)

function Row({ name, amount }: { name: string; amount: number }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{formatAmount(amount)}</dd>
    </div>
  )
}
