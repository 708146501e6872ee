import type { Paper } from './papers.ts'
import { type PrinterState, usePrinter } from './printer-store.ts'

/** Messages about the printer between the tabs of a browser. One tab prints. */
type Message =
  /** The choice of the device changed: the tab that prints finishes its paper and ends its turn. */
  | { kind: 'choice' }
  /** Asks the tab that prints for its state. */
  | { kind: 'ask' }
  | { kind: 'state'; state: PrinterState }
  /** A paper for the tab that prints. */
  | { kind: 'paper'; paper: Paper }
  | { kind: 'again' }
  | { kind: 'drop' }
  | { kind: 'work' }
  | { kind: 'dismiss'; ids: readonly string[] }

const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('kasir-printer')

export const tellPrinterTabs = (message: Message) => channel?.postMessage(message)

export function listenToPrinterTabs(listen: (message: Message) => void) {
  channel?.addEventListener('message', ({ data }) => listen(data as Message))
}

/** Sends the state of this tab to the others after each change, while it is the one that prints. */
export function shareState() {
  const share = () => {
    const { isHolder, link, fault, waiting, failed, unprinted } = usePrinter.getState()
    if (isHolder) tellPrinterTabs({ kind: 'state', state: { link, fault, waiting, failed, unprinted } })
  }
  usePrinter.subscribe(share)
  return share
}
