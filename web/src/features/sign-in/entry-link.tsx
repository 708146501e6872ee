import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'

type EntryLinkProps = { to: '/masuk' | '/daftar' | '/lupa-kata-sandi' | '/jual' | '/'; children: ReactNode }

/** The next step below a form of the entry pages. */
export function EntryLink({ to, children }: EntryLinkProps) {
  return (
    <p className="mt-6 text-center">
      <Link
        to={to}
        search={{}}
        className="inline-flex min-h-12 items-center font-semibold text-brand underline underline-offset-4"
      >
        {children}
      </Link>
    </p>
  )
}
