import { useQuery } from '@tanstack/react-query'
import { shippingCreditsGet, shippingCreditsListTransactions } from 'kasir-client'
import { Wallet } from 'lucide-react'
import { FigureCard } from '../../office/figure-card.tsx'
import type { Column } from '../../office/list/column.ts'
import { ListPage } from '../../office/list/list-page.tsx'
import { May } from '../../office/may.tsx'
import { ModuleFailure } from '../../office/module-gate.tsx'
import {
  idIn,
  momentIn,
  numberIn,
  type PartnerRecord,
  readRecord,
  readRows,
  textIn,
} from '../../office/partner-data.ts'
import { useOfficeSearch } from '../../office/search-state.ts'
import { type DeliveryTranslate, useDeliveryTexts } from '../../texts/delivery/texts.ts'
import { Button } from '../../ui/button.tsx'
import { formatAmount, formatRupiah } from '../../ui/rupiah.ts'

const TYPES = ['sandbox', 'topup', 'shipment', 'refund'] as const
const typeText = (d: DeliveryTranslate, type: string): string => {
  const known = TYPES.find((each) => each === type)
  return known === undefined ? type : d(`credit.${known}`)
}

/** The credits that pay for couriers, and what added to them or spent them. */
export function CreditList() {
  const d = useDeliveryTexts()
  const [{ type }, setAddress] = useOfficeSearch()
  const balance = useQuery({
    queryKey: ['credits', 'balance'],
    queryFn: async () => numberIn(await readRecord(shippingCreditsGet, {}), 'balance'),
    refetchOnMount: 'always',
  })
  const topUp = (
    <May route="shippingCredits.topUp">
      <Button look="primary" onClick={() => void setAddress({ id: 'new' })}>
        <Wallet aria-hidden size={20} />
        {d('credit.topUp')}
      </Button>
    </May>
  )
  return (
    <ListPage
      title={d('credits')}
      columns={columnsIn(d)}
      idOf={idIn}
      source={{
        key: ['credits', 'list', type],
        read: (cursor) => readRows(shippingCreditsListTransactions, cursor, { type }),
      }}
      filters={[
        {
          key: 'type',
          label: d('credit.type'),
          options: TYPES.map((value) => ({ value, text: typeText(d, value) })),
        },
      ]}
      actions={topUp}
      ErrorView={ModuleFailure}
      empty={{ icon: Wallet, title: d('credit.empty'), text: d('credit.emptyText'), action: topUp }}
    >
      <FigureCard label={d('credit.balance')} value={balance.data} format={formatRupiah} />
    </ListPage>
  )
}

const columnsIn = (d: DeliveryTranslate): readonly Column<PartnerRecord>[] => [
  {
    key: 'type',
    title: d('credit.type'),
    cell: (entry) => (
      <span className="grid min-w-0">
        <span>{typeText(d, textIn(entry, 'type'))}</span>
        <span className="text-xs font-normal text-muted">{momentIn(entry, 'createdAt')}</span>
      </span>
    ),
  },
  {
    key: 'amount',
    title: d('credit.change'),
    isAmount: true,
    sortBy: (entry) => numberIn(entry, 'amount'),
    cell: (entry) => `${numberIn(entry, 'amount') > 0 ? '+' : ''}${formatAmount(numberIn(entry, 'amount'))}`,
  },
  {
    key: 'after',
    title: d('credit.after'),
    from: 'sm',
    isAmount: true,
    cell: (entry) => formatAmount(numberIn(entry, 'balanceAfter')),
  },
]
