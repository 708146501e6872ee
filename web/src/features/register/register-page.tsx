import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { useSession } from '../../app/session.ts'
import { useShop } from '../../offline/shop.ts'
import { useCart } from '../../selling/cart-store.ts'
import { cartTotals, type MoneyTerms } from '../../selling/cart-totals.ts'
import { pick, useRegister } from '../../selling/register-store.ts'
import { type Shelf, shelfOf } from '../../selling/shelf.ts'
import { useCartOutlet } from '../../selling/use-cart-outlet.ts'
import { useDisplay } from '../../selling/use-display.ts'
import { usePromotions } from '../../selling/use-promotions.ts'
import { useTexts } from '../../texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { Failure } from '../../ui/failure.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useIsWide } from '../../ui/use-is-wide.ts'
import { BottomBar } from './bottom-bar.tsx'
import { CategoryBar } from './category-bar.tsx'
import { LowStorage } from './low-storage.tsx'
import { OpenDialogs } from './open-dialogs.tsx'
import { OpenItemButton } from './open-item-button.tsx'
import { PlainHttp } from './plain-http.tsx'
import { ProductGrid } from './product-grid.tsx'
import { indexOf, type SearchIndex, searchTiles } from './search.ts'
import { SearchBar } from './search-bar.tsx'
import { SidePanel } from './side-panel.tsx'
import { useCheckout } from './use-checkout.ts'
import { useListPrices } from './use-list-prices.ts'
import { useNewPrices } from './use-new-prices.ts'
import { useRegisterKeys } from './use-register-keys.ts'

const UnknownCode = lazyPart(() => import('./unknown-code.tsx').then((file) => file.UnknownCode))
const CartFull = lazyPart(() => import('./cart-full.tsx').then((file) => file.CartFull))

/** Before the outlet is known nothing can be sold; the totals are those of the goods alone. */
const NO_TERMS: MoneyTerms = {
  taxRateBps: 0,
  taxInclusive: false,
  serviceChargeBps: 0,
  serviceChargeOrderTypes: [],
  serviceChargeBase: 'AFTER_DISCOUNT',
  serviceChargeTaxable: true,
  cashRounding: { step: 0, mode: 'NEAREST' },
}

export function RegisterPage() {
  const t = useTexts()
  const accountId = useSession((session) => session.account?.id)
  const enter = useCart((cart) => cart.enter)
  useEffect(() => {
    if (accountId !== undefined) enter(accountId)
  }, [accountId, enter])
  const outlet = useCartOutlet()
  const cart = useCart()
  const promotions = usePromotions(outlet)
  const totals = useMemo(() => cartTotals(cart, outlet ?? NO_TERMS, promotions), [cart, outlet, promotions])
  const checkout = useCheckout({ outlet, totals })
  useDisplay(totals)
  useNewPrices(outlet?.id)
  useListPrices(outlet)
  const { shelf, index, tiles, query } = useTiles()
  const search = useRef<HTMLInputElement>(null)
  // Another text marks the first result again.
  const [mark, setMark] = useState({ query: '', at: 0 })
  const marked = mark.query === query ? mark.at : 0
  const { panel, isSheetOpen, unknownCode, labelRefusal } = useRegister()
  const isWide = useIsWide()
  const hasNoOutlet = useShop((shop) => shop.outlets.length === 0)
  const [error, state, refresh] = [
    useShop((shop) => shop.error),
    useShop((shop) => shop.state),
    useShop((shop) => shop.refresh),
  ]
  const addFound = () => {
    // Enter may come before the tiles of the last letter are drawn.
    const typed = useRegister.getState().query.trim()
    const found = typed === query ? tiles[marked] : searchTiles(index, typed)[0]
    if (found) pick(found)
  }
  const { onEnter, onArrow } = useRegisterKeys({
    search,
    shelf,
    checkout,
    isSearching: query !== '',
    addFound,
    moveMark: (step) => setMark({ query, at: Math.max(0, Math.min(tiles.length - 1, marked + step)) }),
  })
  return (
    <div className="flex h-full">
      <h1 className="sr-only">{t('register')}</h1>
      <section
        aria-label={t('register')}
        inert={panel === 'pay' || (isSheetOpen && !isWide)}
        className="flex min-w-0 flex-1 flex-col gap-2 p-2 sm:p-3 lg:inert:opacity-60"
      >
        <div className="flex gap-2">
          <SearchBar field={search} onEnter={onEnter} onArrow={onArrow} />
          <OpenItemButton />
        </div>
        {(unknownCode !== null || labelRefusal !== null) && <UnknownCode />}
        {cart.isFull && <CartFull />}
        <LowStorage />
        <PlainHttp />
        <CategoryBar categories={shelf.categories} />
        {state === 'fresh' && hasNoOutlet && <Notice text={t('outlet.none')} />}
        {state === 'empty' && error !== null && (
          <Failure error={error}>
            <Button className="mt-2" onClick={() => void refresh()}>
              {t('retry')}
            </Button>
          </Failure>
        )}
        <div className="min-h-0 flex-1 overflow-y-auto contain-strict">
          <ProductGrid
            tiles={tiles}
            marked={query === '' ? -1 : marked}
            query={query}
            isLoading={state === 'empty'}
          />
        </div>
        <BottomBar totals={totals} checkout={checkout} />
      </section>
      <aside
        aria-label={t('cart')}
        className={classes(
          'flex-col border-l bg-panel lg:flex lg:w-96 lg:shrink-0',
          isSheetOpen ? 'fixed inset-0 z-30 flex lg:static lg:z-auto' : 'hidden',
        )}
      >
        <SidePanel totals={totals} checkout={checkout} outlet={outlet} />
      </aside>
      <OpenDialogs totals={totals} checkout={checkout} />
    </div>
  )
}

/** The tiles to show: those of the chosen category, or those of the whole catalogue that match the typed text. */
function useTiles(): { shelf: Shelf; index: SearchIndex; tiles: Shelf['tiles']; query: string } {
  const { products, categories, groups } = useShop()
  const { query, categoryId } = useRegister()
  const text = useDeferredValue(query.trim())
  const shelf = useMemo(() => shelfOf({ products, categories, groups }), [products, categories, groups])
  const index = useMemo(() => indexOf(shelf.tiles), [shelf])
  const tiles = useMemo(() => {
    if (text !== '') return searchTiles(index, text)
    // A category without goods is not on the shelf.
    return shelf.categories.some(({ id }) => id === categoryId)
      ? shelf.tiles.filter(({ product }) => product.categoryId === categoryId)
      : shelf.tiles
  }, [shelf, index, text, categoryId])
  return { shelf, index, tiles, query: text }
}
