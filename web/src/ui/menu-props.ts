import type { ReactNode } from 'react'

type MenuEntry = { key: string; text: ReactNode; isDisabled?: boolean; onChoose(): void }
export type MenuButtonProps = {
  label: string
  children: ReactNode
  /** Stands above the entries. */
  heading?: ReactNode
  entries: readonly MenuEntry[]
  align?: 'start' | 'end'
}

export const MENU_TRIGGER =
  'flex min-h-12 min-w-12 items-center justify-center gap-2 rounded-xl px-2 font-medium hover:bg-line/60'
