import { PackageOpen, SearchX } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useCart } from '../../selling/cart-store.ts'
import { goodsIn } from '../../selling/quantity.ts'
import { pick } from '../../selling/register-store.ts'
import type { Tile } from '../../selling/shelf.ts'
import { useTexts } from '../../texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { ProductTile } from './product-tile.tsx'

/** Tiles that are drawn at first, and added whenever the end comes into view. */
const PORTION = 48

type ProductGridProps = { tiles: readonly Tile[]; marked: number; query: string; isLoading: boolean }

export function ProductGrid({ tiles, marked, query, isLoading }: ProductGridProps) {
  const t = useTexts()
  const lines = useCart((cart) => cart.lines)
  const counts = new Map<string, number>()
  for (const line of lines)
    if (line.productId !== null) counts.set(line.productId, (counts.get(line.productId) ?? 0) + goodsIn(line))
  const { end, shown } = usePortions(tiles)
  if (isLoading) return <p className="sr-only">{t('loading')}</p>
  if (tiles.length === 0)
    return query === '' ? (
      <Empty icon={PackageOpen} title={t('tiles.empty')} text={t('tiles.emptyHint')} />
    ) : (
      <Empty icon={SearchX} title={t('tiles.notFound', { query })} text={t('tiles.notFoundHint')} />
    )
  return (
    <>
      <ul
        aria-label={t('tiles')}
        className="grid grid-cols-[repeat(auto-fill,minmax(148px,1fr))] gap-2 p-1 max-sm:grid-cols-2"
      >
        {tiles.slice(0, shown).map((tile, at) => (
          <ProductTile
            key={tile.product.id}
            tile={tile}
            count={counts.get(tile.product.id) ?? 0}
            isMarked={at === marked}
            from={t('tiles.from')}
            onPick={pick}
          />
        ))}
      </ul>
      {shown < tiles.length && (
        <div ref={end} className="flex justify-center p-4">
          <Button onClick={() => end.current?.scrollIntoView()}>{t('tiles.more')}</Button>
        </div>
      )}
    </>
  )
}

/** Draws the list portion by portion, so that thousands of products open as fast as a hundred. */
function usePortions(tiles: readonly Tile[]) {
  const end = useRef<HTMLDivElement>(null)
  const [portions, setPortions] = useState({ tiles, count: 1 })
  if (portions.tiles !== tiles) setPortions({ tiles, count: 1 })
  const shown = portions.count * PORTION
  useEffect(() => {
    const element = end.current
    if (element === null) return
    const observer = new IntersectionObserver(
      ([entry]) => entry?.isIntersecting && setPortions((now) => ({ ...now, count: now.count + 1 })),
      { rootMargin: '400px' },
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [shown, tiles])
  return { end, shown }
}
