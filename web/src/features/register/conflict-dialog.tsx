import type { Sale } from 'kasir-client'
import { billContext } from '../../selling/bill-context.ts'
import { billOf } from '../../selling/cart.ts'
import { useCart } from '../../selling/cart-store.ts'
import { takeBill } from '../../selling/take-bill.ts'
import { useTexts } from '../../texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { formatRupiah } from '../../ui/rupiah.ts'

/** Two devices changed one bill: both versions side by side, and the cashier decides. */
export function ConflictDialog({ sale, onClose }: { sale: Sale; onClose(): void }) {
  const t = useTexts()
  const { lines, change } = useCart()
  const theirs = sale.items.filter(({ isActive }) => isActive)
  const keepMine = () => {
    const ids = new Set(theirs.map(({ id }) => id))
    change((cart) => ({
      ...cart,
      bill: billOf(sale, billContext(sale.outletId)),
      lines: cart.lines.map((line) => ({
        ...line,
        itemId: line.itemId !== null && ids.has(line.itemId) ? line.itemId : null,
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
        <Version
          title={t('conflict.here')}
          rows={lines.map(({ key, quantity, name }) => ({ key, quantity, name }))}
        />
        <Version
          title={`${t('conflict.there')} ${formatRupiah(sale.total)}`}
          rows={theirs.map(({ id, quantity, productName }) => ({ key: id, quantity, name: productName }))}
        />
      </div>
    </Dialog>
  )
}

type VersionRow = { key: string | number; quantity: number; name: string }

function Version({ title, rows }: { title: string; rows: readonly VersionRow[] }) {
  return (
    <section>
      <h3 className="mb-1 font-semibold">{title}</h3>
      <ul className="grid gap-1">
        {rows.map(({ key, quantity, name }) => (
          <li key={key} className="break-words">
            <span className="tabular-nums">{quantity}</span> {name}
          </li>
        ))}
      </ul>
    </section>
  )
}
