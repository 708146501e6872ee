import { authFinishLogin, isKasirError } from 'kasir-client'
import { useState } from 'react'
import { call } from '../../app/service.ts'
import { useEntryTexts } from '../../texts/entry/texts.ts'
import { useTexts } from '../../texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Field } from '../../ui/field.tsx'
import { useSubmit } from '../../ui/use-submit.ts'
import { beginSession } from './begin-session.ts'

type CodeFormProps = { challenge: string; onSignedIn(): Promise<void>; onRestart(): void }

/** The second step of signing in: a code of the authenticator app, or a recovery code. */
export function CodeForm({ challenge, onSignedIn, onRestart }: CodeFormProps) {
  const t = useEntryTexts()
  const common = useTexts()
  const [code, setCode] = useState('')
  const { error, isBusy, submit } = useSubmit(async () => {
    beginSession(await call(authFinishLogin, { challenge, code: code.trim() }))
    await onSignedIn()
  })
  const sentence = () => {
    if (!isKasirError(error)) return null
    if (error.code === 'INVALID_CREDENTIALS') return t('wrongCode')
    return error.code === 'RATE_LIMITED' ? t('lockedCode') : null
  }
  return (
    <form className="grid gap-4" onSubmit={submit}>
      <Field
        label={t('signIn.code')}
        hint={t('signIn.codeHint')}
        autoComplete="one-time-code"
        autoCapitalize="none"
        spellCheck={false}
        required
        maxLength={40}
        value={code}
        onChange={({ target }) => setCode(target.value)}
      />
      <Failure error={error} sentence={sentence()} />
      <Button look="primary" size="large" type="submit" disabled={isBusy}>
        {common('signIn')}
      </Button>
      <Button look="quiet" onClick={onRestart}>
        {t('code.restart')}
      </Button>
    </form>
  )
}
