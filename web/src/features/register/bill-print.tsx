import { useMutation } from '@tanstack/react-query'
import { Printer } from 'lucide-react'
import { useIsOnline } from '../../app/line.ts'
import { newKey } from '../../offline/key.ts'
import { printSale } from '../../printing/receipts.ts'
import { useCart } from '../../selling/cart-store.ts'
import type { CartTotals } from '../../selling/cart-totals.ts'
import { usePrintingTexts } from '../../texts/printing/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/failure.tsx'
import { WRITE_BILL } from './keep-bill.ts'
import { saveBill } from './saved-bill.ts'

/** Prints what the guests have to pay. The cart is saved first, so that the paper has what it shows. */
export function BillPrint({ totals }: { totals: CartTotals }) {
  const t = usePrintingTexts()
  const isOnline = useIsOnline()
  const isStuck = useCart((cart) => cart.attempt !== null || cart.lines.length === 0)
  const print = useMutation({
    mutationKey: WRITE_BILL,
    mutationFn: async () => printSale((await saveBill(totals, newKey())).id, 'bill'),
  })
  if (!isOnline) return null
  return (
    <>
      <Button
        look="quiet"
        className="px-2 text-sm"
        disabled={isStuck || print.isPending}
        onClick={() => print.mutate()}
      >
        <Printer aria-hidden size={18} />
        {t('bill')}
      </Button>
      <Failure error={print.error} />
    </>
  )
}
