import type { ComponentType } from 'react'
import { useOfficeTexts } from '../texts/office/texts.ts'
import { Button } from '../ui/button.tsx'
import { Failure } from '../ui/failure.tsx'
import { useOfficeSearch } from './search-state.ts'

type RecordQuery = { error: unknown; isSuccess: boolean; isFetching: boolean; refetch(): unknown }
type RecordStateProps = {
  query: RecordQuery
  /** Shows an error of which the page knows the next step. */
  ErrorView?: ComponentType<{ error: unknown }>
  /** The record was opened from a list. */
  hasBack?: boolean
  /** Something else that the page needs is still loading. */
  isWaiting?: boolean
}

/** Shows that the record is loading, failed to load, or was deleted. */
export function RecordState({
  query,
  ErrorView = Failure,
  hasBack = true,
  isWaiting = false,
}: RecordStateProps) {
  const t = useOfficeTexts()
  const [, setAddress] = useOfficeSearch()
  const isGone = query.isSuccess && !query.isFetching && !isWaiting
  if (!query.error && !isGone)
    return (
      <p role="status" className="p-6 text-muted">
        {t('loading')}
      </p>
    )
  return (
    <div className="grid gap-3 p-4 sm:p-6">
      {isGone ? <p role="status">{t('record.gone')}</p> : <ErrorView error={query.error} />}
      <div className="flex gap-2">
        {!isGone && <Button onClick={() => void query.refetch()}>{t('retry')}</Button>}
        {hasBack && (
          <Button look="quiet" onClick={() => void setAddress({ id: null })}>
            {t('form.back')}
          </Button>
        )}
      </div>
    </div>
  )
}
