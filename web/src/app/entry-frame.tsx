import { Store } from 'lucide-react'
import type { ReactNode } from 'react'
import { LanguageButton, ThemeButton } from './screen-buttons.tsx'

type EntryFrameProps = { title: string; text?: string; children: ReactNode }

/** The frame of the pages before anyone is signed in. */
export function EntryFrame({ title, text, children }: EntryFrameProps) {
  return (
    <div className="flex min-h-dvh flex-col">
      <header className="flex items-center gap-2 p-2 sm:p-4">
        <span className="flex items-center gap-2 px-2 text-xl font-bold text-brand">
          <Store aria-hidden size={26} />
          Kasir
        </span>
        <span className="flex-1" />
        <LanguageButton />
        <ThemeButton />
      </header>
      <main className="mx-auto w-full max-w-md flex-1 px-5 pt-2 pb-10 sm:pt-[6vh]">
        <h1 className="mb-6 text-3xl font-bold">{title}</h1>
        {text !== undefined && <p className="-mt-5 mb-6 text-muted">{text}</p>}
        {children}
      </main>
    </div>
  )
}
