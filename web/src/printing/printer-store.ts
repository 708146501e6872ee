import type { PrintJob } from 'kasir-client'
import { create } from 'zustand'
import type { Fault } from '../core.ts'
import { type PrinterChoice, readChoice } from './choice.ts'

/**
 * The connection to the printer. `closed`: it is retried, and `fault` says why it failed. `forgotten`: a person has to
 * choose the device again.
 */
export type Link = 'none' | 'opening' | 'open' | 'closed' | 'forgotten'

/** What the tabs of a browser share about the printer. */
export type PrinterState = {
  link: Link
  fault: Fault | null
  /** Jobs that wait for this printer. */
  waiting: number
  /** Jobs that failed for good and that are still shown. */
  failed: readonly PrintJob[]
  /** Failed prints that this browser made itself: offline receipts, reports of a shift. */
  unprinted: number
}

type Store = PrinterState & {
  choice: PrinterChoice | null
  /** Whether this tab prints. Another tab of this browser may be the one. */
  isHolder: boolean
  /** The service refused to give or take a job. */
  error: unknown
}

export const INITIAL_STATE: PrinterState = { link: 'none', fault: null, waiting: 0, failed: [], unprinted: 0 }

export const usePrinter = create<Store>()(() => ({
  ...INITIAL_STATE,
  choice: readChoice(),
  isHolder: false,
  error: null,
}))
