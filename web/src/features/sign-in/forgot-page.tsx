import { authForgotPassword, isKasirError } from 'kasir-client'
import { useState } from 'react'
import { EntryFrame } from '../../app/entry-frame.tsx'
import { call } from '../../app/service.ts'
import { useEntryTexts } from '../../texts/entry/texts.ts'
import { useTexts } from '../../texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Field } from '../../ui/field.tsx'
import { useSubmit } from '../../ui/use-submit.ts'
import { EntryLink } from './entry-link.tsx'

/** Asks for a link to a new password. The answer is the same for unknown addresses. */
export function ForgotPage() {
  const t = useEntryTexts()
  const common = useTexts()
  const [email, setEmail] = useState('')
  const { error, isBusy, isDone, submit } = useSubmit(() => call(authForgotPassword, { email: email.trim() }))
  if (isDone)
    return (
      <EntryFrame title={t('forgot.sent')}>
        <p role="status" className="break-words">
          {t('forgot.sentText', { email: email.trim() })}
        </p>
        <p className="mt-3 text-muted">{t('forgot.nothing')}</p>
        <EntryLink to="/masuk">{t('link.toSignIn')}</EntryLink>
      </EntryFrame>
    )
  return (
    <EntryFrame title={t('forgot.title')} text={t('forgot.text')}>
      <form className="grid gap-4" onSubmit={submit}>
        <Field
          label={common('signIn.email')}
          type="email"
          autoComplete="username"
          required
          maxLength={200}
          value={email}
          onChange={({ target }) => setEmail(target.value)}
        />
        <Failure
          error={error}
          sentence={isKasirError(error) && error.code === 'RATE_LIMITED' ? t('forgot.busy') : null}
        />
        <Button look="primary" size="large" type="submit" disabled={isBusy}>
          {t('forgot.send')}
        </Button>
      </form>
      <EntryLink to="/masuk">{t('link.toSignIn')}</EntryLink>
    </EntryFrame>
  )
}
