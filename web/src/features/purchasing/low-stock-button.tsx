import { useMutation } from '@tanstack/react-query'
import { reportsListLowStock } from 'kasir-client'
import { PackagePlus } from 'lucide-react'
import { call } from '../../app/service.ts'
import { nameOf } from '../../office/use-outlet-options.ts'
import { useOfficeTexts } from '../../texts/office/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/failure.tsx'
import type { OrderRow } from './order-values.ts'

type LowStockProps = { outletId: string; rows: readonly OrderRow[]; onRows(rows: readonly OrderRow[]): void }

/** Adds the goods at or below their reorder point, enough to reach twice that point. */
export function LowStockButton({ outletId, rows, onRows }: LowStockProps) {
  const t = useOfficeTexts()
  const fill = useMutation({
    mutationFn: async () => (await call(reportsListLowStock, { outletId })).levels,
    onSuccess: (levels) => {
      const more = levels
        .filter(({ variantId }) => !rows.some((row) => row.variantId === variantId))
        .map(({ variantId, productName, variantName, soldBy, quantity, reorderPoint }) => ({
          variantId,
          soldBy,
          name: nameOf(productName, variantName),
          qty: Math.max((reorderPoint ?? 0) * 2 - quantity, 1),
          cost: null,
        }))
      onRows([...rows, ...more])
    },
  })
  return (
    <div className="grid gap-2">
      <Button
        className="justify-self-start"
        disabled={outletId === '' || fill.isPending}
        onClick={() => fill.mutate()}
      >
        <PackagePlus aria-hidden size={18} />
        {t('order.fill')}
      </Button>
      {fill.data?.length === 0 && <p className="text-sm text-muted">{t('home.noLowStock')}</p>}
      <Failure error={fill.error} />
    </div>
  )
}
