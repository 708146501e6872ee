import {
  categoriesList,
  modifierGroupsList,
  type Outlet,
  outletsList,
  priceListsList,
  productsList,
  settingsGet,
} from 'kasir-client'
import { create } from 'zustand'
import { useDevice } from '../app/device.ts'
import { call } from '../app/service.ts'
import { isServed, useSession } from '../app/session.ts'
import { useTill } from '../app/till.ts'
import { database } from './database.ts'
import { readPromotions } from './promotions.ts'
import type { PromotionCopy, ShopData } from './shop-data.ts'

type Shop = ShopData & {
  accountId: string | null
  /** 'empty' until the copy of the device or the answer of the service is here. */
  state: 'empty' | 'copy' | 'fresh'
  error: unknown
  /** Shows the copy of a workspace and keeps it fresh until the returned function is called. */
  open(accountId: string): () => void
  refresh(): Promise<void>
}

const NOTHING: ShopData = {
  outlets: [],
  inactiveOutlets: [],
  products: [],
  categories: [],
  groups: [],
  priceLists: [],
  settings: null,
  promotions: null,
}
const REFRESH_MS = 5 * 60_000

async function fetchShop(): Promise<Omit<ShopData, 'promotions'>> {
  const [outlets, products, categories, groups, priceLists, settings] = await Promise.all([
    call(outletsList),
    call(productsList, { active: 'true' }),
    call(categoriesList),
    call(modifierGroupsList),
    call(priceListsList),
    call(settingsGet),
  ])
  return {
    outlets: outlets.outlets.filter(({ isActive }) => isActive),
    inactiveOutlets: outlets.outlets.filter(({ isActive }) => !isActive),
    products: products.products,
    categories: categories.categories.filter(({ isActive }) => isActive),
    groups: groups.groups,
    priceLists: priceLists.priceLists.filter(({ isActive }) => isActive),
    settings: settings.settings,
  }
}

/** Outlets, catalogue and settings of the workspace: painted from the device's copy, then read from the service. */
export const useShop = create<Shop>()((set, get) => {
  const readCopy = async (accountId: string) => {
    const copy = await database().then((db) => db.get('shops', accountId))
    if (copy !== undefined && get().accountId === accountId && get().state === 'empty')
      set({ ...copy, state: 'copy' })
  }
  // Refreshes are numbered: one that began before a newer one arrived changes nothing.
  let begun = 0
  let arrived = 0
  const refresh = async () => {
    const { accountId } = get()
    if (accountId === null || !isServed(useSession.getState())) return
    begun += 1
    const number = begun
    const isOld = () => get().accountId !== accountId || number < arrived
    try {
      const data = await fetchShop()
      if (isOld()) return
      arrived = number
      set({ ...data, state: 'fresh', error: null })
      rememberOutlet()
      const promotions = await freshPromotions(get().promotions)
      if (isOld()) return
      set({ promotions })
      // A browser without storage also sells, but its next start needs a connection.
      await database()
        .then((db) => db.put('shops', { ...data, promotions }, accountId))
        .catch(() => {})
    } catch (error) {
      if (!isOld()) set({ error })
    }
  }
  const open = (accountId: string) => {
    if (get().accountId !== accountId) set({ ...NOTHING, accountId, state: 'empty', error: null })
    void readCopy(accountId).catch(() => {})
    void refresh()
    const refreshIfSeen = () => {
      if (document.visibilityState === 'visible') void refresh()
    }
    const timer = setInterval(refreshIfSeen, REFRESH_MS)
    window.addEventListener('online', refreshIfSeen)
    document.addEventListener('visibilitychange', refreshIfSeen)
    return () => {
      clearInterval(timer)
      window.removeEventListener('online', refreshIfSeen)
      document.removeEventListener('visibilitychange', refreshIfSeen)
    }
  }
  return { ...NOTHING, accountId: null, state: 'empty', error: null, open, refresh }
})

/** An outlet of the workspace, active or not. */
export const findOutlet = (
  { outlets, inactiveOutlets = [] }: Pick<ShopData, 'outlets' | 'inactiveOutlets'>,
  outletId: string,
): Outlet | undefined => [...outlets, ...inactiveOutlets].find(({ id }) => id === outletId)

type States = {
  shop: Pick<Shop, 'accountId' | 'outlets' | 'inactiveOutlets' | 'state'>
  device: Pick<ReturnType<typeof useDevice.getState>, 'outletIds' | 'outletId'>
  till: ReturnType<typeof useTill.getState>['till']
}
const currentStates = (): States => ({
  shop: useShop.getState(),
  device: useDevice.getState(),
  till: useTill.getState().till,
})
const useStates = (): States => ({ shop: useShop(), device: useDevice(), till: useTill(({ till }) => till) })

/** The outlet that was chosen for this device, else that of its till; null if there is neither. */
function chosenOutletId({ shop, device: { outletIds, outletId }, till }: States): string | null {
  const chosen = shop.accountId === null ? undefined : outletIds[shop.accountId]
  if (chosen !== undefined) return chosen
  if (outletId !== null && findOutlet(shop, outletId) !== undefined) return outletId
  // The till of this browser may belong to another workspace.
  return till !== null && findOutlet(shop, till.outletId) !== undefined ? till.outletId : null
}

/** The chosen outlet, which may be inactive; the first one if none was ever chosen. */
function deviceOutlet(states: States): Outlet | undefined {
  const outletId = chosenOutletId(states)
  return outletId === null ? states.shop.outlets[0] : findOutlet(states.shop, outletId)
}

const isClosed = (states: States) =>
  states.shop.state !== 'empty' && chosenOutletId(states) !== null && deviceOutlet(states)?.isActive !== true

/** Makes the first outlet of this device its choice: it sells for another one only after a member chose that. */
function rememberOutlet() {
  const states = currentStates()
  const { accountId } = states.shop
  const { outletIds, setOutlet } = useDevice.getState()
  const outletId = chosenOutletId(states) ?? states.shop.outlets[0]?.id
  if (accountId !== null && outletId !== undefined && outletIds[accountId] !== outletId)
    setOutlet(accountId, outletId)
}

/** The promotions of the outlet that this device sells for. The device sells with its copy if they cannot be read. */
async function freshPromotions(copy: PromotionCopy | null): Promise<PromotionCopy | null> {
  const outlet = deviceOutlet(currentStates())
  return outlet === undefined ? copy : readPromotions(outlet.id, copy).catch(() => copy)
}

/** The outlet that this device sells for. While it is inactive, its open bills and shifts can still be finished. */
export const useOutlet = (): Outlet | undefined => deviceOutlet(useStates())

/** The time zone of an outlet, else that of this device's outlet; undefined on pages that belong to no workspace. */
export function outletZone(outletId = ''): string | undefined {
  const states = currentStates()
  return (findOutlet(states.shop, outletId) ?? deviceOutlet(states))?.timezone
}

/** Whether the outlet of this device was deactivated or deleted: then the device begins no sale. */
export const useIsOutletClosed = (): boolean => isClosed(useStates())
export const isOutletClosed = (): boolean => isClosed(currentStates())
