import { authResetPassword } from 'kasir-client'
import { useState } from 'react'
import { EntryFrame } from '../../app/entry-frame.tsx'
import { call } from '../../app/service.ts'
import { useEntryTexts } from '../../texts/entry/texts.ts'
import { EntryLink } from './entry-link.tsx'
import { NewPasswordForm } from './new-password-form.tsx'

/** Sets a new password with the link of a mail. */
export function PasswordPage() {
  const t = useEntryTexts()
  const [isDone, setDone] = useState(false)
  if (isDone)
    return (
      <EntryFrame title={t('password.done')}>
        <p role="status">{t('password.doneText')}</p>
        <EntryLink to="/masuk">{t('link.toSignIn')}</EntryLink>
      </EntryFrame>
    )
  return (
    <EntryFrame title={t('password.title')} text={t('password.text')}>
      <NewPasswordForm
        label={t('password.new')}
        submitText={t('password.save')}
        spent={t('password.spent')}
        next={<EntryLink to="/lupa-kata-sandi">{t('password.again')}</EntryLink>}
        save={async (token, password) => {
          await call(authResetPassword, { token, password })
          setDone(true)
        }}
      />
    </EntryFrame>
  )
}
