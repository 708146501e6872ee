import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { isKasirError } from 'kasir-client'
import { EntryFrame } from '../../app/entry-frame.tsx'
import { useOperatorTexts } from '../../texts/operator/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/failure.tsx'
import { HowToEnter, OperatorEntry } from './entry.tsx'
import { readOverview } from './operator-service.ts'
import { Overview } from './overview.tsx'

const REFRESH_MS = 30_000

/** The page for the operator of the installation. The address of `kasir operator-link` has the token behind the #. */
export function OperatorPage() {
  const { hash } = useLocation()
  return hash === '' ? <Inside /> : <OperatorEntry key={hash} token={hash} />
}

function Inside() {
  const t = useOperatorTexts()
  // The interval rests while the page is hidden.
  const { data, error, refetch } = useQuery({
    queryKey: ['operator', 'overview'],
    queryFn: readOverview,
    refetchInterval: REFRESH_MS,
  })
  if (isKasirError(error) && error.code === 'AUTH_REQUIRED') return <HowToEnter />
  if (data !== undefined) return <Overview data={data} isLate={error !== null} />
  return (
    <EntryFrame title={t('title')}>
      <Failure error={error}>
        <Button className="mt-3" onClick={() => void refetch()}>
          {t('retry')}
        </Button>
      </Failure>
    </EntryFrame>
  )
}
