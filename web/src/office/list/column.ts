import type { LucideIcon } from 'lucide-react'
import type { ComponentType, ReactNode } from 'react'
import type { RowPage } from '../call-page.ts'
import type { SearchChange } from '../search-state.ts'

/** One column of a list. The first one names the row and leads to it. */
export type Column<Row> = {
  key: string
  title: string
  cell(row: Row): ReactNode
  /** What rows are sorted by; without it the column cannot be sorted. */
  sortBy?(row: Row): string | number
  isAmount?: boolean
  /** The narrowest screen that shows the column. */
  from?: 'sm' | 'md' | 'xl'
}

export type Filter = {
  /** The entry of the address that holds the choice. */
  key: string
  label: string
  options: readonly { value: string; text: string }[]
  /** Chosen while the address has no entry; without it that means all. */
  initial?: string | undefined
}

export type ListSource<Row> = {
  key: readonly unknown[]
  read(cursor: string | null): Promise<RowPage<Row>>
  /** Reads the rows again this often while the page shows them. */
  everyMs?: number
  /** The most rows that the service returns if it has no cursor. With that many rows, older ones may exist. */
  most?: number
}

export type ListProps<Row> = {
  title: string
  columns: readonly Column<Row>[]
  source: ListSource<Row>
  idOf(row: Row): string
  /** The change of the address that opens a row. */
  open?(row: Row): SearchChange
  /** Shows a search box. The service searches, or `matches` does in the rows. */
  search?: { label: string; matches?(row: Row, text: string): boolean }
  filters?: readonly Filter[]
  /** Buttons beside the title. */
  actions?: ReactNode
  /** Stands between the filters and the rows. */
  children?: ReactNode
  /** Shows an error of which the page knows the next step. */
  ErrorView?: ComponentType<{ error: unknown; children?: ReactNode }>
  /** Shown while the workspace has no such record: its purpose, and the next step. */
  empty: { icon: LucideIcon; title: string; text: string; action?: ReactNode }
}
