import { Link } from '@tanstack/react-router'
import { type Event, eventsList } from 'kasir-client'
import { HandCoins } from 'lucide-react'
import { callPage, PAGE_ROWS } from '../../office/call-page.ts'
import type { Column } from '../../office/list/column.ts'
import { ListPage } from '../../office/list/list-page.tsx'
import { amountIn, momentText, recordFrom, recordIn, textIn } from '../../office/partner-data.ts'
import { type PaymentsTranslate, usePaymentsTexts } from '../../texts/payments/texts.ts'
import { formatMoney, methodText } from './looks.tsx'

/** Money that the partner received for no bill: staff return it there. The log keeps it for 90 days. */
export function UnappliedList() {
  const t = usePaymentsTexts()
  return (
    <ListPage
      title={t('title.unapplied')}
      columns={columnsIn(t)}
      idOf={({ id }) => id}
      source={{
        key: ['payments', 'unapplied'],
        read: (cursor) =>
          callPage(
            eventsList,
            {
              type: 'service.payment.unapplied.v1',
              limit: PAGE_ROWS,
              ...(cursor !== null && { cursor }),
            },
            (rows) => rows.map(readUnapplied),
          ),
      }}
      empty={{ icon: HandCoins, title: t('unapplied.empty'), text: t('unapplied.emptyText') }}
    />
  )
}

/** The payment as the event holds it. */
function readUnapplied({ id, createdAt, data }: Event) {
  const payment = recordIn(recordFrom(data), 'payment')
  return {
    id,
    createdAt,
    saleId: textIn(payment, 'saleId'),
    method: textIn(payment, 'method'),
    amount: amountIn(payment, 'amount'),
  }
}
type Unapplied = ReturnType<typeof readUnapplied>

const columnsIn = (t: PaymentsTranslate): readonly Column<Unapplied>[] => [
  { key: 'created', title: t('paidAt'), cell: ({ createdAt }) => momentText(createdAt) },
  {
    key: 'method',
    title: t('method'),
    from: 'sm',
    cell: ({ method }) => methodText(t, method.toLowerCase()),
  },
  {
    key: 'sale',
    title: t('unapplied.sale'),
    cell: ({ saleId }) => (
      <Link
        to="/penjualan"
        search={{ sale: saleId }}
        className="inline-flex min-h-12 items-center font-semibold underline"
      >
        {t('unapplied.open')}
      </Link>
    ),
  },
  {
    key: 'amount',
    title: t('amount'),
    isAmount: true,
    cell: ({ amount }) => formatMoney(amount, 'IDR'),
  },
]
