import type { Sale } from 'kasir-client'
import { billContext } from '../../selling/bill-context.ts'
import { billOf, type CartLine, cartFromBill } from '../../selling/cart.ts'
import { useCart } from '../../selling/cart-store.ts'
import { quantityText } from '../../selling/quantity.ts'
import { takeBill } from '../../selling/take-bill.ts'
import { useTexts } from '../../texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { formatRupiah } from '../../ui/rupiah.ts'

/** Two devices changed one bill: both versions side by side, and the cashier decides. */
export function ConflictDialog({ sale, onClose }: { sale: Sale; onClose(): void }) {
  const t = useTexts()
  const { lines, change } = useCart()
  const theirs = cartFromBill(sale, billContext(sale.outletId))
  const keepMine = () => {
    const ids = new Set(theirs.lines.map(({ itemId }) => itemId))
    change((cart) => ({
      ...cart,
      bill: billOf(sale, billContext(sale.outletId)),
      lines: cart.lines.map((line) => ({
        ...line,
        itemId: ids.has(line.itemId) ? line.itemId : null,
      })),
    }))
    onClose()
  }
  return (
    <Dialog
      title={t('conflict.title', { number: sale.number })}
      onClose={onClose}
      actions={
        <>
          <Button size="large" className="flex-1 px-2 text-base" onClick={() => takeBill(sale)}>
            {t('conflict.theirs')}
          </Button>
          <Button look="primary" size="large" className="flex-1 px-2 text-base" onClick={keepMine}>
            {t('conflict.mine')}
          </Button>
        </>
      }
    >
      <p className="mb-4 text-muted">{t('conflict.text')}</p>
      <div className="grid grid-cols-2 gap-4">
        <Version title={t('conflict.here')} lines={lines} />
        <Version title={`${t('conflict.there')} ${formatRupiah(sale.total)}`} lines={theirs.lines} />
      </div>
    </Dialog>
  )
}

function Version({ title, lines }: { title: string; lines: readonly CartLine[] }) {
  return (
    <section>
      <h3 className="mb-1 font-semibold">{title}</h3>
      <ul className="grid gap-1">
        {lines.map((line) => (
          <li key={line.key} className="break-words">
            <span className="tabular-nums">{quantityText(line)}</span>{' '}
            {[line.name, line.pack?.name, line.variantName].filter(Boolean).join(' · ')}
          </li>
        ))}
      </ul>
    </section>
  )
}
