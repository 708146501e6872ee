import { inventoryListMovements, type StockMovement } from 'kasir-client'
import { History } from 'lucide-react'
import { useState } from 'react'
import { callPage, PAGE_ROWS } from '../../office/call-page.ts'
import { addDays, dayIn } from '../../office/days.ts'
import { amountOfGoods, changeOfGoods } from '../../office/goods-amounts.ts'
import type { Column } from '../../office/list/column.ts'
import { ListPage } from '../../office/list/list-page.tsx'
import { useOfficeSearch } from '../../office/search-state.ts'
import {
  useAllOutletOptions,
  useFirstShownOutlet,
  useOutletName,
  useVariantName,
} from '../../office/use-outlet-options.ts'
import { findOutlet, outletZone, useShop } from '../../offline/shop.ts'
import { useOfficeTexts } from '../../texts/office/texts.ts'
import { classes } from '../../ui/classes.ts'
import { formatMoment } from '../../ui/time.ts'

const TYPES = ['PURCHASE', 'SALE', 'REFUND', 'VOID', 'ADJUSTMENT', 'TRANSFER_OUT', 'TRANSFER_IN'] as const
type MovementType = (typeof TYPES)[number]
const isType = (text: string | undefined): text is MovementType => TYPES.includes(text as MovementType)

/** Days up to today. The service takes a type with a period only, of 400 days at most. */
const RANGES = ['7', '30', '90', '365'] as const
const DEFAULT_RANGE = '30'
const isRange = (text: string | undefined): text is (typeof RANGES)[number] =>
  RANGES.includes(text as (typeof RANGES)[number])

/** The stock ledger, newest first. */
export function MovementList() {
  const t = useOfficeTexts()
  const outlets = useAllOutletOptions()
  const [{ outlet, type, variant, range }] = useOfficeSearch()
  const own = useFirstShownOutlet()
  const zone = useShop((shop) => findOutlet(shop, outlet ?? ''))?.timezone ?? own?.timezone
  const days = isRange(range) ? range : DEFAULT_RANGE
  const [now] = useState(() => new Date())
  const from = addDays(dayIn(zone ?? 'Asia/Jakarta', now), 1 - Number(days))
  return (
    <ListPage
      title={t('stock.movements')}
      columns={useColumns()}
      idOf={({ id }) => id}
      source={{
        key: ['movements', outlet, type, variant, from],
        read: (cursor) =>
          callPage(
            inventoryListMovements,
            {
              limit: PAGE_ROWS,
              from,
              ...(cursor !== null && { cursor }),
              ...(outlet && { outletId: outlet }),
              ...(variant && { variantId: variant }),
              ...(isType(type) && { type }),
            },
            (rows) => rows,
          ),
      }}
      filters={[
        { key: 'outlet', label: t('outlet'), options: outlets },
        {
          key: 'type',
          label: t('stock.type'),
          options: TYPES.map((value) => ({ value, text: t(`movement.${value}`) })),
        },
        {
          key: 'range',
          label: t('report.period'),
          options: RANGES.map((value) => ({ value, text: t(`range.${value}`) })),
          initial: DEFAULT_RANGE,
        },
      ]}
      empty={{ icon: History, title: t('stock.noMovements'), text: t('stock.noMovementsText') }}
    />
  )
}

function useColumns(): readonly Column<StockMovement>[] {
  const t = useOfficeTexts()
  const outletName = useOutletName()
  const variantName = useVariantName()
  return [
    {
      key: 'name',
      title: t('product.name'),
      cell: ({ variantId, createdAt, outletId }) => (
        <span className="grid min-w-0">
          <span className="break-words">{variantName(variantId)}</span>
          <span className="text-xs font-normal text-muted">
            {formatMoment(createdAt, outletZone(outletId))}
          </span>
        </span>
      ),
    },
    { key: 'type', title: t('stock.type'), cell: ({ type }) => t(`movement.${type}`) },
    { key: 'outlet', title: t('outlet'), from: 'md', cell: ({ outletId }) => outletName(outletId) },
    {
      key: 'change',
      title: t('stock.change'),
      isAmount: true,
      cell: ({ qtyDelta, soldBy }) => (
        <span className={classes('font-semibold', qtyDelta < 0 ? 'text-danger' : 'text-good')}>
          {changeOfGoods(soldBy, qtyDelta)}
        </span>
      ),
    },
    {
      key: 'balance',
      title: t('stock.balance'),
      from: 'sm',
      isAmount: true,
      cell: ({ balanceAfter, soldBy }) => amountOfGoods(soldBy, balanceAfter),
    },
    { key: 'reason', title: t('reason'), from: 'xl', cell: ({ reason }) => reason ?? '' },
  ]
}
