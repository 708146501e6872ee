import type { OutboxRow } from '../offline/outbox-row.ts'
import { PrintSheet } from '../ui/print-sheet.tsx'
import { OwnReceipt } from './own-receipt.tsx'

/** Prints the receipt of a sale that has no number yet. */
export function OwnPrint({ row, onPrinted }: { row: OutboxRow; onPrinted(): void }) {
  return (
    <PrintSheet onPrinted={onPrinted}>
      <OwnReceipt row={row} />
    </PrintSheet>
  )
}
