import { Minus, Pencil, Plus, Trash2 } from 'lucide-react'
import { memo } from 'react'
import { useShop } from '../../offline/shop.ts'
import { type CartLine, MAX_QUANTITY, setQuantity } from '../../selling/cart.ts'
import { useCart } from '../../selling/cart-store.ts'
import { grossOf, lineDiscountOf } from '../../selling/cart-totals.ts'
import { isWeighedLine, quantityText } from '../../selling/quantity.ts'
import { useRegister } from '../../selling/register-store.ts'
import { shelfOf } from '../../selling/shelf.ts'
import { useTexts } from '../../texts/texts.ts'
import { classes } from '../../ui/classes.ts'
import { formatAmount } from '../../ui/rupiah.ts'

const STEP =
  'inline-flex size-12 shrink-0 items-center justify-center rounded-xl border border-control/60 bg-raised hover:border-control active:bg-brand-soft disabled:opacity-50'

/** One line of the cart; the selected one has a stepper. */
export const CartLineRow = memo(function CartLineRow({
  line,
  isSelected,
  isEditable,
}: {
  line: CartLine
  isSelected: boolean
  /** False for goods that left the catalogue: the line can only be removed or change its quantity. */
  isEditable: boolean
}) {
  const t = useTexts()
  const change = useCart((cart) => cart.change)
  const isStuck = useCart((cart) => cart.attempt !== null)
  const nameId = `line-${line.key}`
  const discount = lineDiscountOf(line)
  const listName = useShop(({ priceLists = [] }) =>
    line.priceListId ? priceLists.find(({ id }) => id === line.priceListId)?.name : undefined,
  )
  const details = [
    line.pack?.name,
    line.variantName,
    ...line.modifiers.map(({ name }) => name),
    line.note,
    listName,
  ].filter(Boolean)
  const weighed = isWeighedLine(line)
  const step = (by: number) => change((cart) => setQuantity(cart, line.key, line.quantity + by))
  const select = () => change((cart) => (cart.selected === line.key ? cart : { ...cart, selected: line.key }))
  return (
    <li
      data-key={line.key}
      aria-current={isSelected ? 'true' : undefined}
      className={classes('relative px-3 py-1', isSelected && 'bg-brand-soft')}
    >
      <button
        type="button"
        aria-label={t('line.select')}
        aria-describedby={nameId}
        tabIndex={-1}
        className="absolute inset-0"
        onClick={select}
      />
      <div className="pointer-events-none relative flex items-center gap-2.5 [&>button]:pointer-events-auto">
        <span className="min-w-7 text-right font-semibold tabular-nums">{quantityText(line)}</span>
        <div className="min-w-0 flex-1 py-1.5">
          <p id={nameId} className="leading-snug break-words">
            {line.name}
          </p>
          {details.length > 0 && <p className="text-sm break-words text-muted">{details.join(' · ')}</p>}
          {discount > 0 && (
            <p className="text-sm text-brand">
              {t('discount.line')} <span className="tabular-nums">{formatAmount(-discount)}</span>
            </p>
          )}
        </div>
        <p className="amount font-semibold">{formatAmount(grossOf(line) - discount)}</p>
        <button
          type="button"
          className={classes(
            'relative -mr-2 inline-flex size-12 shrink-0 items-center justify-center rounded-xl text-muted hover:bg-line/60',
            !isEditable && 'invisible',
          )}
          disabled={isStuck}
          aria-label={t('line.edit')}
          aria-describedby={nameId}
          onFocus={select}
          onClick={() => editLine(line)}
        >
          <Pencil aria-hidden size={18} />
        </button>
      </div>
      {isSelected && (
        <div className="pointer-events-none relative flex items-center gap-1.5 pb-1.5 pl-9 *:pointer-events-auto">
          <button
            type="button"
            className={STEP}
            disabled={isStuck}
            aria-label={t('line.less')}
            aria-describedby={nameId}
            onClick={() => step(weighed ? -line.quantity : -1)}
          >
            {weighed || line.quantity === 1 ? (
              <Trash2 aria-hidden size={18} />
            ) : (
              <Minus aria-hidden size={20} />
            )}
          </button>
          <span className="min-w-12 text-center text-lg font-semibold tabular-nums">
            {quantityText(line)}
          </span>
          <button
            type="button"
            className={STEP}
            disabled={isStuck || weighed || line.quantity >= MAX_QUANTITY}
            aria-label={t('line.more')}
            aria-describedby={nameId}
            onClick={() => step(1)}
          >
            <Plus aria-hidden size={20} />
          </button>
          <span className="amount flex-1 pr-10 text-sm text-muted">
            {weighed
              ? `@ ${formatAmount(line.unitPrice)}/kg`
              : line.quantity > 1 && `@ ${formatAmount(grossOf({ ...line, quantity: 1 }))}`}
          </span>
        </div>
      )}
    </li>
  )
})

/** Opens the line's variant, modifiers, note and discount. */
export function editLine(line: CartLine) {
  if (line.variantId === null) {
    useRegister.getState().show({ dialog: { kind: 'openItem', lineKey: line.key, quantity: line.quantity } })
    return
  }
  const { tiles } = shelfOf(useShop.getState())
  const tile = tiles.find(({ product }) => product.id === line.productId)
  const variant = tile?.variants.find(({ id }) => id === line.variantId) ?? null
  if (tile)
    useRegister.getState().show({
      dialog: { kind: 'goods', tile, variant, lineKey: line.key, quantity: line.quantity },
    })
}
