import type { Product } from 'kasir-client'
import { ImageOff } from 'lucide-react'
import type { Column } from '../../office/list/column.ts'
import { StateMark } from '../../office/state-mark.tsx'
import { photoAddress } from '../../selling/shelf.ts'
import type { OfficeTranslate } from '../../texts/office/texts.ts'
import { formatAmount, formatRupiah } from '../../ui/rupiah.ts'

const pricesOf = ({ variants }: Product): readonly number[] => {
  const active = variants.filter(({ isActive }) => isActive)
  return (active.length > 0 ? active : variants).map(({ price }) => price)
}

function PriceRange({ product }: { product: Product }) {
  const prices = pricesOf(product)
  if (prices.length === 0) return '–'
  const [low, high] = [Math.min(...prices), Math.max(...prices)]
  if (low === high) return formatRupiah(low)
  return (
    <>
      {formatRupiah(low)} – <span className="max-sm:block">{formatAmount(high)}</span>
    </>
  )
}

export const productColumns = (t: OfficeTranslate): readonly Column<Product>[] => [
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
    cell: (product) => <PriceRange product={product} />,
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
