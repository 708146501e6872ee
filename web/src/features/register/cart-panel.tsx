import { ChevronDown, NotebookTabs, Percent, Trash2, UserRound } from 'lucide-react'
import { useHeldBills } from '../../offline/held.ts'
import { useShop } from '../../offline/shop.ts'
import { useCart } from '../../selling/cart-store.ts'
import { cashDueOf } from '../../selling/cart-totals.ts'
import { useRegister } from '../../selling/register-store.ts'
import { paidBy, quickCash } from '../../selling/tender.ts'
import { useTexts } from '../../texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { formatAmount } from '../../ui/rupiah.ts'
import { CartLines } from './cart-lines.tsx'
import { CartOrigin } from './cart-origin.tsx'
import { emptyCart } from './empty-cart.ts'
import { OrderTypes } from './order-types.tsx'
import type { PanelProps } from './panel-props.ts'
import { payCash } from './pay-cash.ts'
import { TotalRows } from './total-rows.tsx'
import { Undo } from './undo.tsx'

const ChannelRow = lazyPart(() => import('./channel-row.tsx').then((file) => file.ChannelRow))
const TakenTenders = lazyPart(() => import('./taken-tenders.tsx').then((file) => file.TakenTenders))
const StuckSale = lazyPart(() => import('./stuck-sale.tsx').then((file) => file.StuckSale))
const UnansweredNotice = lazyPart(() =>
  import('./unanswered-notice.tsx').then((file) => file.UnansweredNotice),
)

/** The lines of the cart, its total and the ways to pay it. */
export function CartPanel({ totals, checkout, outlet }: PanelProps) {
  const t = useTexts()
  const cart = useCart()
  const show = useRegister((register) => register.show)
  const hasChannels = useShop(({ priceLists = [], promotions }) =>
    [...priceLists, ...(promotions?.promotions ?? [])].some(({ channels }) => channels !== null),
  )
  const unanswered = useHeldBills(outlet?.id).filter((bill) => bill.unanswered).length
  const isEmpty = cart.lines.length === 0
  const isStuck = cart.attempt !== null
  const isPartPaid = cart.tenders.length > 0
  return (
    <>
      <div className="flex items-center gap-1 border-b p-2">
        <Button
          look="quiet"
          size="icon"
          className="lg:hidden"
          aria-label={t('cart.toTiles')}
          onClick={() => show({ isSheetOpen: false })}
        >
          <ChevronDown aria-hidden size={22} />
        </Button>
        <Button
          look="quiet"
          content="start"
          className="min-w-0 flex-1 px-3! max-lg:px-2!"
          onClick={() => show({ dialog: { kind: 'customer' } })}
        >
          <UserRound aria-hidden size={20} className="shrink-0" />
          <span className="truncate">{cart.customer?.name ?? t('customer')}</span>
        </Button>
        <Button
          look="quiet"
          className="px-3 max-lg:px-2!"
          onClick={() => show({ dialog: { kind: 'bills' } })}
        >
          <NotebookTabs aria-hidden size={20} />
          {t('bills')}
        </Button>
        <Button
          look="quiet"
          size="icon"
          disabled={isEmpty || isStuck}
          aria-label={t('discount')}
          onClick={() => show({ dialog: { kind: 'discount' } })}
        >
          <Percent aria-hidden size={20} />
        </Button>
        <Button
          look="quiet"
          size="icon"
          disabled={(isEmpty && cart.table === null) || isStuck}
          aria-label={t('cart.clear')}
          onClick={emptyCart}
        >
          <Trash2 aria-hidden size={20} />
        </Button>
      </div>
      <OrderTypes />
      {(hasChannels || cart.channel !== null) && <ChannelRow outlet={outlet} />}
      {unanswered > 0 && isEmpty && <UnansweredNotice count={unanswered} />}
      <CartOrigin totals={totals} />
      <CartLines />
      <Undo />
      <div className="grid gap-2 border-t p-3">
        <TotalRows totals={totals} outlet={outlet} />
        {(isPartPaid || totals.due < 0) && <TakenTenders due={totals.due} />}
        {(checkout.error !== null || isStuck) && (
          <StuckSale totals={totals} checkout={checkout} outlet={outlet} />
        )}
        <QuickCash totals={totals} checkout={checkout} isOff={isEmpty || isStuck || isPartPaid} />
        <div className="grid grid-cols-3 gap-2">
          <Button
            size="large"
            className="px-2"
            disabled={isEmpty || isStuck || isPartPaid || checkout.isBusy || cart.correction !== null}
            onClick={cart.table === null ? () => show({ dialog: { kind: 'hold' } }) : checkout.hold}
          >
            {t(cart.table === null ? 'hold' : 'table.send')}
          </Button>
          <Button
            look="primary"
            size="large"
            className="col-span-2"
            disabled={isEmpty || isStuck}
            onClick={() => show({ panel: 'pay' })}
          >
            {t('pay')}{' '}
            <span className="tabular-nums">
              {formatAmount(Math.max(0, totals.due - paidBy(cart.tenders)))}
            </span>
          </Button>
        </div>
      </div>
    </>
  )
}

type QuickCashProps = Pick<PanelProps, 'totals' | 'checkout'> & { isOff: boolean }

/** Cash for the whole sale: exact, or one of the next round amounts. */
function QuickCash({ totals, checkout, isOff }: QuickCashProps) {
  const t = useTexts()
  const isDisabled = isOff || checkout.isBusy
  return (
    <div className="grid grid-cols-[1.25fr_1fr_1fr] gap-2">
      <Button
        className="px-1 font-semibold whitespace-nowrap"
        disabled={isDisabled}
        onClick={() => payCash(checkout.pay, totals)}
      >
        {t('pay.exact')}
      </Button>
      {quickCash(cashDueOf(totals.due, totals))
        .slice(0, 2)
        .map((amount) => (
          <Button
            key={amount}
            className="px-1 tabular-nums"
            disabled={isDisabled}
            onClick={() => payCash(checkout.pay, totals, amount)}
          >
            {formatAmount(amount)}
          </Button>
        ))}
    </div>
  )
}
