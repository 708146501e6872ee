import { useDevice } from '../app/device.ts'

/** Opens the receipt that the service draws, and the browser's print window over it. */
export function printReceipt(saleId: string) {
  const { language } = useDevice.getState()
  const receipt = window.open(
    `/api/v1/sales/${encodeURIComponent(saleId)}/receipt?format=html&lang=${language}`,
    '_blank',
  )
  receipt?.addEventListener('load', () => receipt.print())
}
