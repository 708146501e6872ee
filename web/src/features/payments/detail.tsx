import type { ReactNode } from 'react'
import { RecordFrame } from '../../office/record-frame.tsx'
import { StatusMark } from './looks.tsx'

type DetailProps = { title: string; status?: string; actions?: ReactNode; children: ReactNode }

/** The frame of one record: the way back, its name and state, its actions. */
export function Detail({ title, status, actions, children }: DetailProps) {
  return (
    <RecordFrame
      title={title}
      aside={
        <>
          {status !== undefined && <StatusMark status={status} />}
          {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
        </>
      }
    >
      {children}
    </RecordFrame>
  )
}

/** Names and values of a record; a fact without a value is left out. */
export function Facts({ facts }: { facts: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className="grid gap-x-6 gap-y-2 rounded-xl border bg-panel p-4 sm:grid-cols-[max-content_1fr]">
      {facts.map(([name, value]) =>
        value === null ? null : (
          <div key={name} className="contents">
            <dt className="text-sm text-muted">{name}</dt>
            <dd className="font-medium wrap-anywhere max-sm:mb-1">{value}</dd>
          </div>
        ),
      )}
    </dl>
  )
}
