import { useLocation } from '@tanstack/react-router'
import { isKasirError } from 'kasir-client'
import type { ReactNode } from 'react'
import { useEntryTexts } from '../../texts/entry/texts.ts'
import { Failure } from '../../ui/failure.tsx'
import { Notice } from '../../ui/notice.tsx'

/** The token of a mailed link: it follows the #, so that no server logs it. */
export const useLinkToken = (): string => useLocation().hash

/** Whether the service refused the token of a link: used, expired or replaced. */
export const isSpentLink = (error: unknown): boolean => isKasirError(error) && error.param === 'token'

type DeadLinkProps = {
  /** Null if the address has no token at all. */
  error: unknown
  sentence: string
  children: ReactNode
}

/** Shown instead of the form when a link cannot work any more; `children` is the next step. */
export function DeadLink({ error, sentence, children }: DeadLinkProps) {
  const t = useEntryTexts()
  return (
    <>
      {error === null ? <Notice text={t('link.missing')} /> : <Failure error={error} sentence={sentence} />}
      {children}
    </>
  )
}
