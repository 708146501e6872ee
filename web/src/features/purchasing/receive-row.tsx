import type { PurchaseOrderItem } from 'kasir-client'
import { WholeInput } from '../../office/form/whole-input.tsx'
import { boardQuantity, isWeighedLine } from '../../selling/quantity.ts'
import { useOfficeTexts } from '../../texts/office/texts.ts'
import { classes } from '../../ui/classes.ts'
import { FIELD } from '../../ui/field.tsx'

export type Receipt = {
  qty: number
  /** The text in the field is no whole number; `qty` is the one before. */
  isUnread?: boolean
  batchNo: string
  expiryDate: string
}

type ReceiveRowProps = {
  name: string
  item: PurchaseOrderItem
  /** Null if all units have arrived. */
  receipt: Receipt | null
  onReceipt(receipt: Receipt): void
}

/** Goods of an order: ordered units, received units, and the units that arrive now with their batch. */
export function ReceiveRow({ name, item, receipt, onReceipt }: ReceiveRowProps) {
  const t = useOfficeTexts()
  const { qty, receivedQty } = item
  const counted = (quantity: number) => boardQuantity(item, quantity)
  const look = 'grid gap-1 text-xs font-medium'
  return (
    <li className="flex flex-wrap items-end gap-3 p-3">
      <span className="grid min-w-40 flex-1">
        <span className="font-medium break-words">{name}</span>
        <span className={classes('text-sm', receivedQty < qty ? 'text-warn' : 'text-good')}>
          {t('order.received', { n: counted(receivedQty), of: counted(qty) })}
        </span>
      </span>
      {receipt !== null && receivedQty < qty && (
        <>
          <label className={classes(look, 'w-24')}>
            {t(isWeighedLine(item) ? 'order.nowGrams' : 'order.now')}
            <WholeInput
              min={0}
              className={`${FIELD} px-3! font-normal`}
              value={receipt.qty}
              onValue={(typed) => onReceipt({ ...receipt, qty: typed ?? 0, isUnread: false })}
              onUnread={() => onReceipt({ ...receipt, isUnread: true })}
            />
          </label>
          <label className={classes(look, 'w-32')}>
            {t('batch.number')}
            <input
              maxLength={120}
              className={`${FIELD} px-3! font-normal`}
              value={receipt.batchNo}
              onChange={({ target }) => onReceipt({ ...receipt, batchNo: target.value })}
            />
          </label>
          <label className={classes(look, 'w-40')}>
            {t('batch.expiry')}
            <input
              type="date"
              className={`${FIELD} px-3! font-normal`}
              value={receipt.expiryDate}
              onChange={({ target }) => onReceipt({ ...receipt, expiryDate: target.value })}
            />
          </label>
        </>
      )}
    </li>
  )
}
