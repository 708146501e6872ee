import { inventoryListLevels, type StockLevel } from 'kasir-client'
import { ArrowLeftRight, Boxes, Plus } from 'lucide-react'
import { callPage, PAGE_ROWS } from '../../office/call-page.ts'
import { amountOfGoods } from '../../office/goods-amounts.ts'
import type { Column } from '../../office/list/column.ts'
import { ListPage } from '../../office/list/list-page.tsx'
import { May } from '../../office/may.tsx'
import { useOfficeSearch } from '../../office/search-state.ts'
import { StateMark } from '../../office/state-mark.tsx'
import { nameOf, useAllOutletOptions, useOutletName } from '../../office/use-outlet-options.ts'
import { useOfficeTexts } from '../../texts/office/texts.ts'
import { Button } from '../../ui/button.tsx'

export function LevelList() {
  const t = useOfficeTexts()
  const outlets = useAllOutletOptions()
  const [{ outlet, low }, setAddress] = useOfficeSearch()
  const adjust = (
    <May route="inventory.adjust">
      <Button look="primary" onClick={() => void setAddress({ id: 'new' })}>
        <Plus aria-hidden size={20} />
        {t('stock.adjust')}
      </Button>
    </May>
  )
  return (
    <ListPage
      title={t('stock.levels')}
      columns={useColumns()}
      idOf={({ id }) => id}
      open={({ id }) => ({ id })}
      source={{
        key: ['levels', outlet, low],
        read: (cursor) =>
          callPage(
            inventoryListLevels,
            {
              limit: PAGE_ROWS,
              ...(cursor !== null && { cursor }),
              ...(outlet && { outletId: outlet }),
              ...(low && { low: 'true' as const }),
            },
            ({ levels }) => levels,
          ),
      }}
      search={{
        label: t('stock.find'),
        matches: ({ productName, variantName, sku }, text) =>
          `${productName} ${variantName} ${sku ?? ''}`.toLowerCase().includes(text),
      }}
      filters={[
        { key: 'outlet', label: t('outlet'), options: outlets },
        { key: 'low', label: t('state'), options: [{ value: 'true', text: t('stock.low') }] },
      ]}
      actions={
        <>
          {outlets.length > 1 && (
            <May route="inventory.transfer">
              <Button onClick={() => void setAddress({ id: 'transfer' })}>
                <ArrowLeftRight aria-hidden size={18} />
                {t('stock.transfer')}
              </Button>
            </May>
          )}
          {adjust}
        </>
      }
      empty={{ icon: Boxes, title: t('stock.empty'), text: t('stock.emptyText'), action: adjust }}
    />
  )
}

function useColumns(): readonly Column<StockLevel>[] {
  const t = useOfficeTexts()
  const outletName = useOutletName()
  return [
    {
      key: 'name',
      title: t('product.name'),
      sortBy: ({ productName, variantName }) => nameOf(productName, variantName),
      cell: ({ productName, variantName }) => nameOf(productName, variantName),
    },
    { key: 'sku', title: t('variant.sku'), from: 'md', cell: ({ sku }) => sku ?? '–' },
    { key: 'outlet', title: t('outlet'), from: 'sm', cell: ({ outletId }) => outletName(outletId) },
    {
      key: 'quantity',
      title: t('stock.quantity'),
      isAmount: true,
      sortBy: ({ quantity }) => quantity,
      cell: ({ quantity, soldBy }) => amountOfGoods(soldBy, quantity),
    },
    {
      key: 'reorder',
      title: t('stock.reorderPoint'),
      from: 'sm',
      isAmount: true,
      cell: ({ reorderPoint, soldBy }) => (reorderPoint === null ? '–' : amountOfGoods(soldBy, reorderPoint)),
    },
    {
      key: 'state',
      title: t('state'),
      cell: ({ isLow, quantity }) => {
        if (quantity < 0) return <StateMark look="danger">{t('stock.negative')}</StateMark>
        return isLow ? <StateMark look="warn">{t('stock.low')}</StateMark> : null
      },
    },
  ]
}
