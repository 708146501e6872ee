import { useMutation } from '@tanstack/react-query'
import { authAskForProof, authVerifyEmail, isKasirError } from 'kasir-client'
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
  const confirmation = useMutation({ mutationFn: () => call(authVerifyEmail, { token }) })
  const { error } = confirmation
  if (confirmation.isSuccess)
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
          <Button
            look="primary"
            size="large"
            disabled={confirmation.isPending}
            onClick={() => confirmation.mutate()}
          >
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
  const { error, isPending, isSuccess, mutate } = useMutation({ mutationFn: () => call(authAskForProof) })
  if (!isSignedIn) return <EntryLink to="/masuk">{t('verify.signIn')}</EntryLink>
  if (isSuccess)
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
      <Button look="primary" size="large" disabled={isPending} onClick={() => mutate()}>
        {t('verify.again')}
      </Button>
    </div>
  )
}
