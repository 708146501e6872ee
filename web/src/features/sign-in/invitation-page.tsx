import { useNavigate } from '@tanstack/react-router'
import { authAcceptInvitation } from 'kasir-client'
import { EntryFrame } from '../../app/entry-frame.tsx'
import { call } from '../../app/service.ts'
import { useEntryTexts } from '../../texts/entry/texts.ts'
import { useTexts } from '../../texts/texts.ts'
import { beginSession } from './begin-session.ts'
import { EntryLink } from './entry-link.tsx'
import { NewPasswordForm } from './new-password-form.tsx'

/** A new member chooses a password with the link of an invitation, and is signed in. */
export function InvitationPage() {
  const t = useEntryTexts()
  const common = useTexts()
  const navigate = useNavigate()
  return (
    <EntryFrame title={t('invitation.title')} text={t('invitation.text')}>
      <NewPasswordForm
        label={common('signIn.password')}
        submitText={t('invitation.accept')}
        spent={t('invitation.spent')}
        next={
          <>
            <p className="mt-4 text-muted">{t('invitation.next')}</p>
            <EntryLink to="/masuk">{t('link.toSignIn')}</EntryLink>
          </>
        }
        save={async (token, password) => {
          beginSession(await call(authAcceptInvitation, { token, password }))
          await navigate({ to: '/', replace: true })
        }}
      />
    </EntryFrame>
  )
}
