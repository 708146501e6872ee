import { useQuery } from '@tanstack/react-query'
import { categoriesList, type Product, productsList } from 'kasir-client'
import { Download, ImageOff, Package, Plus } from 'lucide-react'
import { useState } from 'react'
import { call } from '../../app/service.ts'
import { callPage, PAGE_ROWS } from '../../office/call-page.ts'
import type { Column } from '../../office/list/column.ts'
import { ListPage } from '../../office/list/list-page.tsx'
import { May } from '../../office/may.tsx'
import { useOfficeSearch } from '../../office/search-state.ts'
import { StateMark } from '../../office/state-mark.tsx'
import { photoAddress } from '../../selling/shelf.ts'
import { type OfficeTranslate, useOfficeTexts } from '../../texts/office/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/failure.tsx'
import { formatAmount, formatRupiah } from '../../ui/rupiah.ts'
import { exportCatalogue } from './csv/export.ts'

export function ProductList() {
  const t = useOfficeTexts()
  const [address, setAddress] = useOfficeSearch()
  const { q, category, state = 'active' } = address
  const categories = useQuery({
    queryKey: ['categories'],
    queryFn: async () => (await call(categoriesList)).categories,
  })
  const create = (
    <May route="products.create">
      <Button look="primary" onClick={() => void setAddress({ id: 'new' })}>
        <Plus aria-hidden size={20} />
        {t('products.new')}
      </Button>
    </May>
  )
  return (
    <ListPage
      title={t('area.products')}
      columns={columnsIn(t)}
      idOf={({ id }) => id}
      open={({ id }) => ({ id })}
      source={{
        key: ['products', q, category, state],
        read: (cursor) =>
          callPage(
            productsList,
            {
              limit: PAGE_ROWS,
              ...(cursor !== null && { cursor }),
              ...(q && { q }),
              ...(category && { categoryId: category }),
              ...(state !== 'all' && { active: state === 'active' ? 'true' : 'false' }),
            },
            ({ products }) => products,
          ),
      }}
      search={{ label: t('products.find') }}
      filters={[
        {
          key: 'category',
          label: t('product.category'),
          options: (categories.data ?? []).map(({ id, name }) => ({ value: id, text: name })),
        },
        {
          key: 'state',
          label: t('state'),
          initial: 'active',
          options: [
            { value: 'active', text: t('state.active') },
            { value: 'inactive', text: t('state.inactive') },
            { value: 'all', text: t('list.all') },
          ],
        },
      ]}
      actions={
        <>
          <ExportButton />
          {create}
        </>
      }
      empty={{ icon: Package, title: t('products.empty'), text: t('products.emptyText'), action: create }}
    />
  )
}

function ExportButton() {
  const t = useOfficeTexts()
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const save = async () => {
    setBusy(true)
    setError(null)
    await exportCatalogue().catch(setError)
    setBusy(false)
  }
  return (
    <>
      <Failure error={error} />
      <Button disabled={isBusy} onClick={() => void save()}>
        <Download aria-hidden size={20} />
        {t('csv.save')}
      </Button>
    </>
  )
}

const pricesOf = ({ variants }: Product): readonly number[] => {
  const active = variants.filter(({ isActive }) => isActive)
  return (active.length > 0 ? active : variants).map(({ price }) => price)
}

function priceRange(product: Product): string {
  const prices = pricesOf(product)
  if (prices.length === 0) return '–'
  const [low, high] = [Math.min(...prices), Math.max(...prices)]
  return low === high ? formatRupiah(low) : `${formatRupiah(low)} – ${formatAmount(high)}`
}

const columnsIn = (t: OfficeTranslate): readonly Column<Product>[] => [
  {
    key: 'name',
    title: t('product.name'),
    sortBy: ({ name }) => name,
    cell: ({ name, thumbnailUrl, categoryName }) => (
      <span className="flex items-center gap-3">
        {thumbnailUrl === null ? (
          <span className="grid size-9 shrink-0 place-items-center rounded-lg bg-line/50 text-muted">
            <ImageOff aria-hidden size={16} />
          </span>
        ) : (
          <img
            src={photoAddress(thumbnailUrl) ?? ''}
            alt=""
            className="size-9 shrink-0 rounded-lg object-cover"
            loading="lazy"
          />
        )}
        <span className="grid min-w-0">
          <span className="break-words">{name}</span>
          {categoryName !== null && <span className="text-xs text-muted md:hidden">{categoryName}</span>}
        </span>
      </span>
    ),
  },
  {
    key: 'category',
    title: t('product.category'),
    from: 'md',
    sortBy: ({ categoryName }) => categoryName ?? '',
    cell: ({ categoryName }) => categoryName ?? '–',
  },
  {
    key: 'variants',
    title: t('product.variants'),
    from: 'xl',
    isAmount: true,
    sortBy: ({ variants }) => variants.length,
    cell: ({ variants }) => variants.length,
  },
  {
    key: 'price',
    title: t('product.price'),
    isAmount: true,
    sortBy: (product) => Math.min(...pricesOf(product)),
    cell: priceRange,
  },
  {
    key: 'state',
    title: t('state'),
    from: 'sm',
    cell: ({ isActive }) => (
      <StateMark look={isActive ? 'good' : 'muted'}>
        {t(isActive ? 'state.active' : 'state.inactive')}
      </StateMark>
    ),
  },
]
