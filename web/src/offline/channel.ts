import type { Sale } from 'kasir-client'
import type { Problem } from './outbox-row.ts'

/** The messages between the tabs of a browser. */
export type TabMessage =
  /** The outbox changed: read it again. */
  | { kind: 'changed' }
  /** A cart was sold: it must not be sold from another tab. */
  | { kind: 'sold'; key: string }
  /** A tab names the slot of its cart, and every open tab answers with its own. */
  | { kind: 'findSlots'; asker: string; slot: string }
  | { kind: 'slot'; asker: string; slot: string }
  | { kind: 'sent'; ref: string; sale: Sale }
  | { kind: 'refused'; ref: string; problem: Problem }

const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('kasir-tabs')
const listeners = new Set<(message: TabMessage) => void>()
channel?.addEventListener('message', ({ data }) => {
  for (const listen of listeners) listen(data as TabMessage)
})

export function tellOtherTabs(message: TabMessage) {
  channel?.postMessage(message)
}

/** Tells this tab and all others. */
export function tell(message: TabMessage) {
  tellOtherTabs(message)
  for (const listen of listeners) listen(message)
}

export function listenToTabs(listen: (message: TabMessage) => void): () => void {
  listeners.add(listen)
  return () => listeners.delete(listen)
}
