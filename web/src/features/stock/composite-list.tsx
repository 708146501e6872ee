import { type CompositeAvailability, inventoryListComposites } from 'kasir-client'
import { ChefHat } from 'lucide-react'
import { call } from '../../app/service.ts'
import { amountOfGoods } from '../../office/goods-amounts.ts'
import type { Column } from '../../office/list/column.ts'
import { ListPage } from '../../office/list/list-page.tsx'
import { useOfficeSearch } from '../../office/search-state.ts'
import { StateMark } from '../../office/state-mark.tsx'
import { nameOf, useAllOutletOptions } from '../../office/use-outlet-options.ts'
import { WithOutlet } from '../../office/with-outlet.tsx'
import { useOfficeTexts } from '../../texts/office/texts.ts'
import { formatAmount } from '../../ui/rupiah.ts'

/** How many of each product with a recipe the stock of an outlet is enough for. */
export const CompositeList = () => (
  <WithOutlet>{({ id }) => <OutletComposites ownOutletId={id} />}</WithOutlet>
)

function OutletComposites({ ownOutletId }: { ownOutletId: string }) {
  const t = useOfficeTexts()
  const outlets = useAllOutletOptions()
  const [{ outlet }] = useOfficeSearch()
  const outletId = outlets.find(({ value }) => value === outlet)?.value ?? ownOutletId
  return (
    <ListPage
      title={t('composites')}
      columns={useColumns()}
      idOf={({ variantId }) => variantId}
      source={{
        key: ['composites', outletId],
        read: async () => ({
          rows: (await call(inventoryListComposites, { outletId })).composites,
          cursor: null,
        }),
      }}
      search={{
        label: t('stock.find'),
        matches: ({ productName, variantName }, text) =>
          nameOf(productName, variantName).toLowerCase().includes(text),
      }}
      filters={
        outlets.length > 1
          ? [{ key: 'outlet', label: t('outlet'), initial: ownOutletId, options: outlets }]
          : []
      }
      empty={{ icon: ChefHat, title: t('composites.empty'), text: t('composites.emptyText') }}
    />
  )
}

function useColumns(): readonly Column<CompositeAvailability>[] {
  const t = useOfficeTexts()
  const limitOf = ({ components, limitingComponentId }: CompositeAvailability) =>
    components.find(({ componentVariantId }) => componentVariantId === limitingComponentId)?.name
  return [
    {
      key: 'name',
      title: t('product.name'),
      sortBy: ({ productName, variantName }) => nameOf(productName, variantName),
      cell: ({ productName, variantName }) => nameOf(productName, variantName),
    },
    {
      key: 'available',
      title: t('composites.available'),
      isAmount: true,
      sortBy: ({ available }) => available ?? Number.MAX_SAFE_INTEGER,
      cell: ({ available }) => {
        if (available === null) return t('composites.unlimited')
        return available > 0 ? (
          formatAmount(available)
        ) : (
          <StateMark look="danger">{formatAmount(available)}</StateMark>
        )
      },
    },
    { key: 'limit', title: t('composites.limit'), from: 'sm', cell: (row) => limitOf(row) ?? '–' },
    {
      key: 'recipe',
      title: t('composites.recipe'),
      from: 'md',
      cell: ({ components }) =>
        components
          .map(({ name, soldBy, quantity }) => `${amountOfGoods(soldBy, quantity)} ${name}`)
          .join(', '),
    },
  ]
}
