import { Link, Navigate } from '@tanstack/react-router'
import type { OfficeSearch } from './search-state.ts'
import { useOfficeSearch } from './search-state.ts'

type Tab = { key: string; text: string }

/** The parts of a page. The address names the open one; the first one needs no name. */
export function Tabs({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
  const [address] = useOfficeSearch()
  const open = address['tab'] ?? tabs[0]?.key
  // An address of an older version, or with a mistake: the page would be empty.
  if (!tabs.some(({ key }) => key === open)) return <Navigate to="." search={{} as never} replace />
  return (
    <nav aria-label={label} className="flex flex-wrap gap-1 border-b bg-panel px-2 pt-2 sm:px-4">
      {tabs.map(({ key, text }, at) => (
        <Link
          key={key}
          to="."
          search={((): OfficeSearch => (at === 0 ? {} : { tab: key })) as never}
          activeOptions={{ exact: true }}
          aria-current={key === open ? 'page' : undefined}
          className="flex min-h-11 items-center border-b-3 border-transparent px-3 text-sm font-medium text-muted hover:text-text aria-[current=page]:border-brand aria-[current=page]:text-brand"
        >
          {text}
        </Link>
      ))}
    </nav>
  )
}
