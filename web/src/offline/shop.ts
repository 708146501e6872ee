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
  const refresh = async () => {
    const { accountId } = get()
    if (accountId === null) return
    try {
      const data = await fetchShop()
      if (get().accountId !== accountId) return
      set({ ...data, state: 'fresh', error: null })
      const promotions = await freshPromotions(data.outlets, get().promotions)
      if (get().accountId !== accountId) return
      set({ promotions })
      // A browser without storage also sells, but its next start needs a connection.
      await database()
        .then((db) => db.put('shops', { ...data, promotions }, accountId))
        .catch(() => {})
    } catch (error) {
      set({ error })
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

const chosenOutlet = (outlets: readonly Outlet[], outletId: string | null): Outlet | undefined =>
  outlets.find(({ id }) => id === outletId) ?? outlets[0]

/** The promotions of the outlet that this device sells for. The device sells with its copy if they cannot be read. */
async function freshPromotions(
  outlets: readonly Outlet[],
  copy: PromotionCopy | null,
): Promise<PromotionCopy | null> {
  const outlet = chosenOutlet(outlets, useDevice.getState().outletId)
  return outlet === undefined ? copy : readPromotions(outlet.id, copy).catch(() => copy)
}

/** The outlet that this device sells for: the chosen one, else the first. */
export function useOutlet(): Outlet | undefined {
  const outlets = useShop((shop) => shop.outlets)
  const outletId = useDevice((device) => device.outletId)
  return chosenOutlet(outlets, outletId)
}
