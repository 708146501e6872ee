import { authAskForProof, authVerifyEmail, isKasirError } from 'kasir-client'
import { useState } from 'react'
import { EntryFrame } from '../../app/entry-frame.tsx'
import { call } from '../../app/service.ts'
import { useSession } from '../../app/session.ts'
import { useEntryTexts } from '../../texts/entry/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/failure.tsx'
import { EntryLink } from './entry-link.tsx'
import { DeadLink, isSpentLink, useLinkToken } from './mailed-link.tsx'

/** Confirms an e-mail address by a press, because programs that check mails open links by themselves. */
export function VerifyPage() {
  const t = useEntryTexts()
  const token = useLinkToken()
  const [error, setError] = useState<unknown>(null)
  const [state, setState] = useState<'waiting' | 'busy' | 'done'>('waiting')
  const confirm = async () => {
    setState('busy')
    setError(null)
    try {
      await call(authVerifyEmail, { token })
      setState('done')
    } catch (caught) {
      setError(caught)
      setState('waiting')
    }
  }
  if (state === 'done')
    return (
      <EntryFrame title={t('verify.done')}>
        <p role="status">{t('verify.doneText')}</p>
        <EntryLink to="/">{t('verify.go')}</EntryLink>
      </EntryFrame>
    )
  return (
    <EntryFrame title={t('verify.title')} text={t('verify.text')}>
      {token === '' || isSpentLink(error) ? (
        <DeadLink error={error} sentence={t('verify.spent')}>
          <AnotherLink />
        </DeadLink>
      ) : (
        <div className="grid gap-4">
          <Failure error={error} />
          <Button look="primary" size="large" disabled={state === 'busy'} onClick={() => void confirm()}>
            {t('verify.confirm')}
          </Button>
        </div>
      )}
    </EntryFrame>
  )
}

/** Sends another link to a member who is signed in; others sign in first. */
function AnotherLink() {
  const t = useEntryTexts()
  const isSignedIn = useSession(({ member }) => member !== null)
  const [error, setError] = useState<unknown>(null)
  const [isSent, setSent] = useState(false)
  const send = async () => {
    setError(null)
    try {
      await call(authAskForProof)
      setSent(true)
    } catch (caught) {
      setError(caught)
    }
  }
  if (!isSignedIn) return <EntryLink to="/masuk">{t('verify.signIn')}</EntryLink>
  if (isSent)
    return (
      <p role="status" className="mt-6 font-medium">
        {t('verify.sent')}
      </p>
    )
  return (
    <div className="mt-6 grid gap-4">
      <Failure
        error={error}
        sentence={isKasirError(error) && error.code === 'RATE_LIMITED' ? t('verify.busy') : null}
      />
      <Button look="primary" size="large" onClick={() => void send()}>
        {t('verify.again')}
      </Button>
    </div>
  )
}
