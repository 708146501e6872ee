import { memo, useMemo } from 'react'
import { photoAddress, type Tile } from '../../selling/shelf.ts'
import { type TilePrice, useTilePrices } from '../../selling/tile-prices.ts'
import { classes } from '../../ui/classes.ts'
import { formatAmount } from '../../ui/rupiah.ts'

/** Eight fixed hues with white text at a contrast of 4.5 or more. */
const HUES = [
  'bg-[#0f766e]',
  'bg-[#1d4ed8]',
  'bg-[#9a3412]',
  'bg-[#6d28d9]',
  'bg-[#be123c]',
  'bg-[#3f6212]',
  'bg-[#0e7490]',
  'bg-[#86198f]',
]

type ProductTileProps = {
  tile: Tile
  count: number
  isMarked: boolean
  from: string
  onPick(tile: Tile): void
}

/** One product: its photo or its first letters, the name in at most two lines, the price always at the bottom. */
export const ProductTile = memo(function ProductTile({
  tile,
  count,
  isMarked,
  from,
  onPick,
}: ProductTileProps) {
  const { name, thumbnailUrl, imageUrl } = tile.product
  const priceOf = useTilePrices((prices) => prices.priceOf)
  const { price, isRange, listName } = useMemo(
    (): TilePrice => priceOf?.(tile) ?? { ...tile, listName: null },
    [priceOf, tile],
  )
  const photo = photoAddress(thumbnailUrl ?? imageUrl)
  return (
    <li className="contents">
      <button
        type="button"
        onClick={() => onPick(tile)}
        className={classes(
          'relative flex min-h-24 flex-col overflow-hidden rounded-xl border bg-panel text-left select-none hover:border-control active:bg-brand-soft',
          isMarked && 'outline-3 outline-offset-1 outline-brand',
        )}
      >
        {photo === null ? (
          <span aria-hidden className={classes('h-1.5 w-full shrink-0', HUES[tile.hue])} />
        ) : (
          <img
            src={photo}
            alt=""
            loading="lazy"
            decoding="async"
            className="h-20 w-full shrink-0 bg-line object-cover"
          />
        )}
        <span className="flex w-full flex-1 flex-col justify-between gap-1 p-2.5">
          <span className="line-clamp-2 text-[0.95rem] leading-snug font-medium break-words">{name}</span>
          <span className="flex items-center justify-between gap-2">
            <span className="min-w-0 truncate text-sm text-muted tabular-nums">
              {isRange && `${from} `}
              <span className="sr-only">Rp </span>
              {formatAmount(price)}
              {tile.isWeighed && '/kg'}
              {listName !== null && <span className="text-brand"> · {listName}</span>}
            </span>
            {count > 0 && (
              <span
                aria-hidden
                className="inline-flex min-w-6 items-center justify-center rounded-full bg-brand px-1.5 text-sm font-semibold text-on-brand tabular-nums"
              >
                {count}
              </span>
            )}
          </span>
        </span>
      </button>
    </li>
  )
})
