import { createChangedStorage } from '../offline/changed-storage.ts'
import { listenToTabs, tellOtherTabs } from '../offline/channel.ts'
import { newKey } from '../offline/key.ts'

/**
 * Where the cart of a tab is stored. Each tab has a slot of its own, so that no tab writes over the cart of another. The
 * slot is on the device, because the cart survives the end of the browser; its name is in the session storage of the tab.
 */
const NAME = 'kasir-cart'
const newSlot = () => `${NAME}:${newKey()}`

/** Open tabs answer within milliseconds. One that is just being reloaded names its slot once its page runs again. */
const ANSWER_MS = 1_500

/** Identifies this page among the tabs, also while a duplicated tab has the name of another's slot. */
const asker = newKey()
const before = sessionStorage.getItem(NAME)
let slot = ''

function takeSlot(name: string) {
  slot = name
  sessionStorage.setItem(NAME, name)
}
takeSlot(before ?? newSlot())

/** Leaves the stored cart as a closed tab does, and takes another slot. */
export const leaveSlot = () => takeSlot(newSlot())

listenToTabs((message) => {
  if (message.kind === 'findSlots') tellOtherTabs({ kind: 'slot', asker: message.asker, slot })
  // A duplicated tab begins with a copy of the session storage.
  if (message.kind === 'slot' && message.asker === asker && message.slot === slot) takeSlot(newSlot())
})
if (before !== null) tellOtherTabs({ kind: 'findSlots', asker, slot })

/** A duplicated tab that changed nothing leaves no second copy of the cart behind. */
export const cartStorage = createChangedStorage(() => slot)

/** Returns true if this tab has stored a cart, as after a reload. A new tab has none. */
export const hasStoredCart = () => localStorage.getItem(slot) !== null

/** The slots of the other tabs that are open. */
export async function findOpenSlots(): Promise<ReadonlySet<string>> {
  const open = new Set<string>()
  const stop = listenToTabs((message) => {
    if (message.kind === 'findSlots' || (message.kind === 'slot' && message.asker === asker))
      open.add(message.slot)
  })
  tellOtherTabs({ kind: 'findSlots', asker, slot })
  await new Promise((resolve) => setTimeout(resolve, ANSWER_MS))
  stop()
  return open
}

function readSlot(name: string) {
  try {
    const { accountId, lines, attempt, code } = JSON.parse(localStorage.getItem(name) ?? '').state
    return { accountId, isEmpty: lines.length === 0 && !attempt && !code }
  } catch {
    return { accountId: null, isEmpty: true }
  }
}

/** Moves the cart of a closed tab into the slot of this one. Returns false if no closed tab left one. */
export function takeLeftCart(accountId: string, open: ReadonlySet<string>): boolean {
  for (const name of Object.keys(localStorage)) {
    if (!name.startsWith(NAME) || name === slot || open.has(name)) continue
    const left = readSlot(name)
    if (!left.isEmpty && left.accountId !== accountId) continue
    const text = localStorage.getItem(name)
    localStorage.removeItem(name)
    if (left.isEmpty || text === null) continue
    localStorage.setItem(slot, text)
    return true
  }
  return false
}
