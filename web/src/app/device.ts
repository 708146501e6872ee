import { create } from 'zustand'
import { persist } from 'zustand/middleware'
import { createFieldStorage } from '../offline/changed-storage.ts'

export type Language = 'id' | 'en'
export type Theme = 'light' | 'dark'

type Device = {
  language: Language
  /** Null follows the setting of the device. */
  theme: Theme | null
  /** The outlet that this device sells for in each workspace. */
  outletIds: Readonly<Record<string, string>>
  /** The choice of a version that kept one for all workspaces. */
  outletId: string | null
  setLanguage(language: Language): void
  setTheme(theme: Theme): void
  setOutlet(accountId: string, outletId: string): void
}

/** Settings of this device, not of the account. */
export const useDevice = create<Device>()(
  persist(
    (set) => ({
      language: navigator.language.startsWith('en') ? 'en' : 'id',
      theme: null,
      outletIds: {},
      outletId: null,
      setLanguage: (language) => set({ language }),
      setTheme: (theme) => set({ theme }),
      setOutlet: (accountId, outletId) =>
        set(({ outletIds }) => ({ outletIds: { ...outletIds, [accountId]: outletId } })),
    }),
    { name: 'kasir-device', storage: createFieldStorage<Device>() },
  ),
)

const darkDevice = window.matchMedia('(prefers-color-scheme: dark)')

export const themeOf = (theme: Theme | null): Theme => theme ?? (darkDevice.matches ? 'dark' : 'light')

/** Writes theme and language to the page, now and on every change. */
export function applyDevice() {
  const apply = () => {
    const { theme, language } = useDevice.getState()
    document.documentElement.dataset['theme'] = themeOf(theme)
    document.documentElement.lang = language
  }
  apply()
  useDevice.subscribe(apply)
  darkDevice.addEventListener('change', apply)
}
