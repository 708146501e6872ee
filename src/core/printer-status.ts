/** How a receipt printer reports its state, in the bytes of ESC/POS. */

import type { Fault } from './printing.ts'

/** DLE EOT 2 and 4: why the printer is offline, and its paper. Answered in real time, one byte each. */
export const ASK_STATUS = Uint8Array.of(0x10, 0x04, 0x02, 0x10, 0x04, 0x04)

/** The bits that every answer to DLE EOT has; other bytes of a printer are skipped. */
export const isStatus = (byte: number): boolean => (byte & 0x93) === 0x12

/** The fault that two status bytes report; null if the printer is ready. */
export function faultIn(offline: number, paper: number): Fault | null {
  if ((offline & 0x04) !== 0) return 'COVER_OPEN'
  if ((offline & 0x20) !== 0 || (paper & 0x60) !== 0) return 'PAPER_OUT'
  return (offline & 0x40) === 0 ? null : 'PRINTER_ERROR'
}
