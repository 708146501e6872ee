import { useQuery, useQueryClient } from '@tanstack/react-query'
import { authEndSession, authListSessions, type Session } from 'kasir-client'
import { useState } from 'react'
import { call } from '../../app/service.ts'
import { useSession } from '../../app/session.ts'
import { ConfirmDialog } from '../../office/confirm-dialog.tsx'
import { Panel } from '../../office/panel.tsx'
import { AccountFailure } from '../../office/proof/account-failure.tsx'
import { StateMark } from '../../office/state-mark.tsx'
import { countUnsent, useOutbox } from '../../offline/outbox.ts'
import { type AccountTranslate, useAccountTexts } from '../../texts/account/texts.ts'
import { useTexts } from '../../texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { formatMoment } from '../../ui/time.ts'

const nameOf = ({ browser }: Session, t: AccountTranslate) => browser ?? t('sessions.unknown')

/** The browsers that are signed in as this member, with their last use; any of them can be signed out. */
export function SessionsPanel() {
  const t = useAccountTexts()
  const [ending, setEnding] = useState<Session | null>(null)
  const answer = useQuery({
    queryKey: ['sessions'],
    queryFn: async () => (await call(authListSessions)).sessions,
  })
  return (
    <Panel title={t('sessions')}>
      <p className="px-4 pt-3 text-sm text-muted">{t('sessions.text')}</p>
      {answer.isPending && (
        <p role="status" className="p-4 text-muted">
          {t('loading')}
        </p>
      )}
      {answer.error && (
        <div className="grid justify-items-start gap-2 p-4">
          <AccountFailure error={answer.error} />
          <Button onClick={() => void answer.refetch()}>{t('retry')}</Button>
        </div>
      )}
      <ul aria-label={t('sessions')} className="divide-y">
        {answer.data?.map((session) => (
          <li key={session.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-3">
            <span className="min-w-0 flex-1">
              <span className="flex flex-wrap items-center gap-2 font-medium">
                {nameOf(session, t)}
                {session.current && <StateMark look="good">{t('sessions.here')}</StateMark>}
              </span>
              <span className="block text-sm wrap-anywhere text-muted">
                {[
                  t('sessions.used', { time: formatMoment(session.lastSeenAt) }),
                  t('sessions.since', { time: formatMoment(session.createdAt) }),
                  session.tillId !== null && t('sessions.till'),
                  session.address,
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </span>
            </span>
            <Button
              aria-label={t('sessions.endName', { name: nameOf(session, t) })}
              onClick={() => setEnding(session)}
            >
              {t('sessions.end')}
            </Button>
          </li>
        ))}
      </ul>
      {ending && <EndDialog session={ending} onClose={() => setEnding(null)} />}
    </Panel>
  )
}

function EndDialog({ session, onClose }: { session: Session; onClose(): void }) {
  const t = useAccountTexts()
  const common = useTexts()
  const queries = useQueryClient()
  const unsent = useOutbox((outbox) => countUnsent(outbox.rows))
  // Unsent sales keep this device signed in, as in the menu of the member.
  const isBlocked = session.current && unsent > 0
  return (
    <ConfirmDialog
      title={t('sessions.endName', { name: nameOf(session, t) })}
      verb={t('sessions.end')}
      isDisabled={isBlocked}
      run={() => call(authEndSession, { id: session.id })}
      onDone={() => {
        onClose()
        if (session.current) {
          queries.clear()
          useSession.getState().end()
        } else void queries.invalidateQueries({ queryKey: ['sessions'] })
      }}
      onClose={onClose}
      showError={(error) => <AccountFailure error={error} />}
    >
      <p>{t(session.current ? 'sessions.endHere' : 'sessions.endOther')}</p>
      {isBlocked && <p className="text-warn">{common('signOut.unsent', { n: unsent })}</p>}
    </ConfirmDialog>
  )
}
