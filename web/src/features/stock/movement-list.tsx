import { inventoryListMovements, type StockMovement } from 'kasir-client'
import { History } from 'lucide-react'
import { callPage, PAGE_ROWS } from '../../office/call-page.ts'
import type { Column } from '../../office/list/column.ts'
import { ListPage } from '../../office/list/list-page.tsx'
import { useOfficeSearch } from '../../office/search-state.ts'
import { useOutletName, useOutletOptions, useVariantName } from '../../office/use-outlet-options.ts'
import { useOfficeTexts } from '../../texts/office/texts.ts'
import { classes } from '../../ui/classes.ts'
import { formatAmount } from '../../ui/rupiah.ts'
import { formatMoment } from '../../ui/time.ts'

const TYPES = ['PURCHASE', 'SALE', 'REFUND', 'VOID', 'ADJUSTMENT', 'TRANSFER_OUT', 'TRANSFER_IN'] as const
type MovementType = (typeof TYPES)[number]
const isType = (text: string | undefined): text is MovementType => TYPES.includes(text as MovementType)

/** The stock ledger, newest first. */
export function MovementList() {
  const t = useOfficeTexts()
  const outlets = useOutletOptions()
  const [{ outlet, type, variant }] = useOfficeSearch()
  return (
    <ListPage
      title={t('stock.movements')}
      columns={useColumns()}
      idOf={({ id }) => id}
      source={{
        key: ['movements', outlet, type, variant],
        read: (cursor) =>
          callPage(
            inventoryListMovements,
            {
              limit: PAGE_ROWS,
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
      cell: ({ variantId, createdAt }) => (
        <span className="grid min-w-0">
          <span className="break-words">{variantName(variantId)}</span>
          <span className="text-xs font-normal text-muted">{formatMoment(createdAt)}</span>
        </span>
      ),
    },
    { key: 'type', title: t('stock.type'), cell: ({ type }) => t(`movement.${type}`) },
    { key: 'outlet', title: t('outlet'), from: 'md', cell: ({ outletId }) => outletName(outletId) },
    {
      key: 'change',
      title: t('stock.change'),
      isAmount: true,
      cell: ({ qtyDelta }) => (
        <span className={classes('font-semibold', qtyDelta < 0 ? 'text-danger' : 'text-good')}>
          {qtyDelta > 0 ? '+' : ''}
          {formatAmount(qtyDelta)}
        </span>
      ),
    },
    {
      key: 'balance',
      title: t('stock.balance'),
      from: 'sm',
      isAmount: true,
      cell: ({ balanceAfter }) => formatAmount(balanceAfter),
    },
    { key: 'reason', title: t('reason'), from: 'xl', cell: ({ reason }) => reason ?? '' },
  ]
}
