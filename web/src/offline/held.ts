import { useEffect, useState } from 'react'
import { useSession } from '../app/session.ts'
import type { Cart } from '../selling/cart.ts'
import { listenToTabs, tell } from './channel.ts'
import { serverNow } from './clock.ts'
import { database } from './database.ts'
import type { HeldBill } from './held-bill.ts'
import { newKey } from './key.ts'
import { requestPersistence } from './persistence.ts'
import { useShop } from './shop.ts'

/** Holds a cart on this device, because the service cannot take it as an open bill now. */
export async function holdHere(
  outletId: string,
  { cart, total, unanswered }: Pick<HeldBill, 'cart' | 'total' | 'unanswered'>,
) {
  const accountId = useSession.getState().account?.id
  // The cart is cleared next, so a bill that was not written must not look held.
  if (accountId === undefined) throw new Error('a bill is held by a signed-in member')
  requestPersistence()
  // The key of a kept sale makes it one entry, however often it is kept.
  const key = unanswered?.key ?? newKey()
  const bill: HeldBill = { key, accountId, outletId, heldAt: serverNow(), total, cart, unanswered }
  const tx = (await database()).transaction('held', 'readwrite', { durability: 'strict' })
  await tx.store.put(bill)
  await tx.done
  tell({ kind: 'changed' })
}

/** Takes a bill out; null if another tab has done so. */
export async function takeHeld(key: string): Promise<Cart | null> {
  const tx = (await database()).transaction('held', 'readwrite', { durability: 'strict' })
  const bill = await tx.store.get(key)
  if (bill) await tx.store.delete(key)
  await tx.done
  tell({ kind: 'changed' })
  return bill?.cart ?? null
}

const readHeld = async (accountId: string): Promise<HeldBill[]> => {
  const bills = await (await database()).getAllFromIndex('held', 'account', accountId)
  return bills.sort((a, b) => a.heldAt.localeCompare(b.heldAt))
}

/** The bills of an outlet that are held on this device, the oldest first, and those of outlets that were deactivated. */
export function useHeldBills(outletId: string | undefined): readonly HeldBill[] {
  const accountId = useSession((session) => session.account?.id)
  const outlets = useShop((shop) => shop.outlets)
  const [bills, setBills] = useState<readonly HeldBill[]>([])
  useEffect(() => {
    if (accountId === undefined || outletId === undefined) return
    let isShown = true
    const read = () =>
      readHeld(accountId).then(
        (found) => isShown && setBills(found),
        () => {},
      )
    void read()
    const stop = listenToTabs((message) => {
      if (message.kind === 'changed') void read()
    })
    return () => {
      isShown = false
      stop()
    }
  }, [accountId, outletId])
  const isElsewhere = (bill: HeldBill) =>
    bill.outletId !== outletId && outlets.some(({ id }) => id === bill.outletId)
  return bills.filter((bill) => !isElsewhere(bill))
}
