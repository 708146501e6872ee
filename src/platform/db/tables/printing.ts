// Rows of migrations/0182_printers.sql with the column of 0244_papers_of_open_bills.sql, as Kysely sees them.
import type { ColumnType, Generated } from 'kysely'
import type {
  CodePage,
  JobKind,
  JobReason,
  JobStatus,
  PaperWidth,
  PrinterKind,
} from '../../../core/printing.ts'
import type { JsonColumn } from './json.ts'

export type PrintersRow = {
  accountId: string
  id: string
  outletId: string
  name: string
  kind: PrinterKind
  host: string | null
  port: number
  paper: PaperWidth
  codePage: CodePage
  opensDrawer: boolean
  stations: ColumnType<string[], readonly string[], readonly string[]>
  tillId: string | null
  fallbackPrinterId: string | null
  createdAt: string
  updatedAt: string
}

export type PrintJobsRow = {
  accountId: string
  id: string
  outletId: string
  printerId: string
  firstPrinterId: string
  saleId: string | null
  station: string | null
  kind: JobKind
  status: JobStatus
  attempts: Generated<number>
  reason: JobReason | null
  reprint: Generated<boolean>
  copy: Generated<boolean>
  opensDrawer: Generated<boolean>
  ofOpenBill: Generated<boolean>
  content: JsonColumn
  claimedBy: string | null
  queuedAt: string
  dueAt: string
  lookAt: string | null
  printedAt: string | null
  createdAt: string
  updatedAt: string
}

export type DrawerKicksRow = {
  accountId: string
  id: string
  outletId: string
  printerId: string
  jobId: string
  memberId: string
  reason: string
  createdAt: string
}

export type PrintingTables = {
  printers: PrintersRow
  printJobs: PrintJobsRow
  drawerKicks: DrawerKicksRow
}
