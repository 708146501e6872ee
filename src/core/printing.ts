/** Words of printers and print jobs that tables, rules and the worker share. */

export const PRINTER_KINDS = ['NETWORK', 'TILL'] as const
export type PrinterKind = (typeof PRINTER_KINDS)[number]

/** Widths of paper in millimetres. */
export const PAPER_WIDTHS = [58, 80] as const
export type PaperWidth = (typeof PAPER_WIDTHS)[number]

/**
 * Code pages of receipt printers: WPC1252 (with Cyrillic and central Europe), PC437 for printers that only have the
 * first page of the IBM PC, ASCII for those that have none.
 */
export const CODE_PAGES = ['WPC1252', 'PC437', 'ASCII'] as const
export type CodePage = (typeof CODE_PAGES)[number]

export const JOB_KINDS = ['KITCHEN', 'RECEIPT', 'DRAWER', 'TEST', 'LABEL'] as const
export type JobKind = (typeof JOB_KINDS)[number]

export const JOB_STATUSES = ['queued', 'printing', 'printed', 'failed'] as const
export type JobStatus = (typeof JOB_STATUSES)[number]

/** Why a try failed, as a printer or a till reports it. `true` means that no byte of the job was sent. */
export const FAULTS = {
  UNREACHABLE: true,
  ADDRESS_REFUSED: true,
  DRIVER_BUSY: true,
  PAPER_OUT: false,
  COVER_OPEN: false,
  PRINTER_ERROR: false,
  CONNECTION_LOST: false,
  NO_ANSWER: false,
  INTERRUPTED: false,
} as const
export type Fault = keyof typeof FAULTS

/** Why a job failed or its last try did. */
export const JOB_REASONS = [...(Object.keys(FAULTS) as Fault[]), 'TOO_OLD', 'PRINTER_REMOVED'] as const
export type JobReason = Fault | 'TOO_OLD' | 'PRINTER_REMOVED'

/** Which printer prints each station of an outlet. */
export type StationPrinters = Readonly<Record<string, { id: string; kind: PrinterKind }>>
