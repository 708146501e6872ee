/** What the customer display shows. The register says it to every window of this browser. */
export type DisplayState = {
  business: string
  lines: readonly { key: number; quantity: string; name: string; amount: number }[]
  total: number
  /** Set after the payment, until the next sale begins. */
  change: number | null
  /** The QR code to pay by, while it can be paid. */
  code: { content: string; amount: number } | null
}
type DisplayMessage = { kind: 'state'; state: DisplayState } | { kind: 'ask' }

const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('kasir-display')

export const say = (message: DisplayMessage) => channel?.postMessage(message)

export function listenToDisplay(listen: (message: DisplayMessage) => void): () => void {
  const hear = ({ data }: MessageEvent) => listen(data as DisplayMessage)
  channel?.addEventListener('message', hear)
  return () => channel?.removeEventListener('message', hear)
}
