import type { ReactNode } from 'react'
import { BackButton } from './back-button.tsx'

type RecordFrameProps = {
  title: ReactNode
  subtitle?: ReactNode
  /** Its state and its actions, beside the title. */
  aside?: ReactNode
  children: ReactNode
}

/** The page of one record: the way back, its name, its state and its actions. */
export const RecordFrame = ({ title, subtitle, aside, children }: RecordFrameProps) => (
  <section className="grid max-w-4xl content-start gap-4 p-4 sm:p-6">
    <header className="flex flex-wrap items-center gap-2">
      <BackButton />
      <div className="min-w-0 flex-[1_0_12rem]">
        <h1 className="text-xl font-bold wrap-anywhere sm:text-2xl">{title}</h1>
        {subtitle && <p className="text-sm text-muted">{subtitle}</p>}
      </div>
      {aside}
    </header>
    {children}
  </section>
)
