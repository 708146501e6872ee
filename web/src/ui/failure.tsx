import { isKasirError } from 'kasir-client'
import { Copy, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { hasEarlierRequestSucceeded } from '../app/outcome.ts'
import { type Problem, SaleRefused } from '../offline/outbox-row.ts'
import { type Translate, useTexts } from '../texts/texts.ts'
import { copyText } from './copy-text.ts'
import { SentenceError } from './sentence-error.ts'

/** What the service said; null if no answer came. */
function problemOf(error: unknown): Problem | null {
  if (error instanceof SaleRefused) return error.problem
  return isKasirError(error) ? error : null
}

/** The text of an error: the sentence of the service, or the next step if no answer came. */
export function sentenceOf(error: unknown, t: Translate): string {
  if (error instanceof SentenceError) return t(error.text)
  if (error instanceof DOMException) return t('failure.storage')
  if (hasEarlierRequestSucceeded(error)) return t('failure.done')
  const problem = problemOf(error)
  if (problem === null) return t('failure.offline')
  if (error instanceof SaleRefused && problem.code === 'IDEMPOTENCY_KEY_IN_USE') return t('failure.done')
  if (problem.code === 'INTERNAL_ERROR') return t('failure.internal')
  if (problem.code === 'RATE_LIMITED') return t('failure.busy')
  return problem.message
}

type FailureProps = {
  error: unknown
  /** In place of the service's sentence, where the page knows the next step. */
  sentence?: string | null | undefined
  children?: ReactNode
}

/** An alert with the sentence, and below it the id by which the operator finds the request. */
export function Failure({ error, sentence, children }: FailureProps) {
  const t = useTexts()
  if (error === null || error === undefined) return null
  const problem = problemOf(error)
  const detail = problem === null ? null : `${problem.code} · ${problem.requestId}`
  return (
    <div
      role="alert"
      className="flex gap-3 rounded-xl border border-danger/40 bg-danger-soft p-3 text-danger"
    >
      <TriangleAlert aria-hidden size={20} className="mt-0.5 shrink-0" />
      <div className="min-w-0 flex-1">
        <p className="font-medium break-words">{sentence ?? sentenceOf(error, t)}</p>
        {detail && (
          <p className="mt-1 flex items-center gap-1 text-xs break-all">
            {detail}
            <button
              type="button"
              aria-label={t('failure.copy')}
              className="inline-flex size-8 items-center justify-center rounded-lg"
              onClick={() => void copyText(detail)}
            >
              <Copy aria-hidden size={14} />
            </button>
          </p>
        )}
        {children}
      </div>
    </div>
  )
}
