import { inventoryListBatches, type StockBatch } from 'kasir-client'
import { CalendarClock, Plus } from 'lucide-react'
import { useState } from 'react'
import { callPage, PAGE_ROWS } from '../../office/call-page.ts'
import { dayIn, daysBetween } from '../../office/days.ts'
import { amountOfGoods } from '../../office/goods-amounts.ts'
import type { Column } from '../../office/list/column.ts'
import { ListPage } from '../../office/list/list-page.tsx'
import { May } from '../../office/may.tsx'
import { useOfficeSearch } from '../../office/search-state.ts'
import { StateMark } from '../../office/state-mark.tsx'
import { nameOf, useAllOutletOptions, useOutletName } from '../../office/use-outlet-options.ts'
import { findOutlet, useShop } from '../../offline/shop.ts'
import { useOfficeTexts } from '../../texts/office/texts.ts'
import { Button } from '../../ui/button.tsx'
import { formatAmount } from '../../ui/rupiah.ts'
import { formatDate } from '../../ui/time.ts'

const SOON_DAYS = 30

/** Batches that still have stock; those that expire first can be sorted to the top. */
export function BatchList() {
  const t = useOfficeTexts()
  const outlets = useAllOutletOptions()
  const [{ outlet }, setAddress] = useOfficeSearch()
  const create = (
    <May route="inventory.createBatch">
      <Button look="primary" onClick={() => void setAddress({ id: 'batch' })}>
        <Plus aria-hidden size={20} />
        {t('batch.new')}
      </Button>
    </May>
  )
  return (
    <ListPage
      title={t('stock.batches')}
      columns={useColumns()}
      idOf={({ id }) => id}
      source={{
        key: ['batches', outlet],
        read: (cursor) =>
          callPage(
            inventoryListBatches,
            { limit: PAGE_ROWS, ...(cursor !== null && { cursor }), ...(outlet && { outletId: outlet }) },
            ({ batches }) => batches,
          ),
      }}
      search={{
        label: t('stock.find'),
        matches: ({ productName, variantName, batchNo, sku }, text) =>
          `${productName} ${variantName} ${batchNo ?? ''} ${sku ?? ''}`.toLowerCase().includes(text),
      }}
      filters={[{ key: 'outlet', label: t('outlet'), options: outlets }]}
      actions={create}
      empty={{ icon: CalendarClock, title: t('batch.empty'), text: t('batch.emptyText'), action: create }}
    />
  )
}

function useColumns(): readonly Column<StockBatch>[] {
  const t = useOfficeTexts()
  const outletName = useOutletName()
  const shop = useShop()
  const [now] = useState(() => new Date())
  // The service also decides expiry by the date at the outlet.
  const todayAt = (outletId: string) => dayIn(findOutlet(shop, outletId)?.timezone ?? 'Asia/Jakarta', now)
  return [
    {
      key: 'name',
      title: t('product.name'),
      sortBy: ({ productName, variantName }) => nameOf(productName, variantName),
      cell: ({ productName, variantName, batchNo }) => (
        <span className="grid min-w-0">
          <span className="break-words">{nameOf(productName, variantName)}</span>
          <span className="text-xs font-normal break-all text-muted">{batchNo ?? t('batch.noNumber')}</span>
        </span>
      ),
    },
    { key: 'outlet', title: t('outlet'), from: 'md', cell: ({ outletId }) => outletName(outletId) },
    {
      key: 'expiry',
      title: t('batch.expiry'),
      sortBy: ({ expiryDate }) => expiryDate ?? '9999',
      cell: ({ outletId, expiryDate, isExpired }) => {
        if (expiryDate === null) return '–'
        const isSoon = daysBetween(todayAt(outletId), expiryDate) <= SOON_DAYS
        return (
          <StateMark look={isExpired ? 'danger' : isSoon ? 'warn' : 'muted'}>
            {isExpired ? t('batch.expired', { date: formatDate(expiryDate) }) : formatDate(expiryDate)}
          </StateMark>
        )
      },
    },
    {
      key: 'remaining',
      title: t('batch.remaining'),
      isAmount: true,
      sortBy: ({ remainingQty }) => remainingQty,
      cell: ({ remainingQty, soldBy }) => amountOfGoods(soldBy, remainingQty),
    },
    {
      key: 'cost',
      title: t('variant.cost'),
      from: 'sm',
      isAmount: true,
      cell: ({ cost }) => formatAmount(cost),
    },
  ]
}
