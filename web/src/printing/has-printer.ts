import { create } from 'zustand'

/** Where this browser keeps its choice (choice.ts). */
export const PRINTER_KEY = 'kasir-printer'

/** Whether this browser prints on the printer of a till. The first load asks this, and loads nothing else of printing. */
export const useHasPrinter = create<boolean>()(() => localStorage.getItem(PRINTER_KEY) !== null)

export const hasTillPrinter = (): boolean => useHasPrinter.getState()
