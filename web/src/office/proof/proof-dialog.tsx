import { isKasirError } from 'kasir-client'
import { useState } from 'react'
import { useAccountTexts } from '../../texts/account/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { useSubmit } from '../../ui/use-submit.ts'
import { AccountFailure } from './account-failure.tsx'
import type { ProofRequest } from './proof.ts'

/** Asks for the password or a code before a sensitive action, and repeats the action with it. */
export function ProofDialog({ request }: { request: ProofRequest }) {
  const t = useAccountTexts()
  const { need } = request
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const { error, isBusy, submit } = useSubmit(() =>
    request.answer({
      ...(password !== '' && { currentPassword: password }),
      ...(code.trim() !== '' && { code: code.trim() }),
    }),
  )
  const isEmpty = need === 'both' ? code.trim() === '' : password === '' && code.trim() === ''
  const isWrongEither = need === 'either' && isKasirError(error) && error.param === 'currentPassword'
  return (
    <Dialog title={t('proof.title')} onClose={() => void request.answer(null)}>
      <form className="grid gap-4" onSubmit={submit}>
        <p>{t(`proof.${need}`)}</p>
        <Field
          label={t('password')}
          hint={need === 'both' ? t('proof.noPassword') : undefined}
          type="password"
          autoComplete="current-password"
          maxLength={200}
          value={password}
          onChange={({ target }) => setPassword(target.value)}
        />
        {need !== 'password' && (
          <Field
            label={t('proof.code')}
            hint={t('proof.codeHint')}
            autoComplete="one-time-code"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={40}
            value={code}
            onChange={({ target }) => setCode(target.value)}
          />
        )}
        <AccountFailure error={error} {...(isWrongEither && { sentence: 'wrongProof' })} />
        <Button look="primary" size="large" type="submit" disabled={isBusy || isEmpty}>
          {t('proof.go')}
        </Button>
      </form>
    </Dialog>
  )
}
