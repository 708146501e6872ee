import { isKasirError } from 'kasir-client'
import { type ReactNode, useState } from 'react'
import { useEntryTexts } from '../../texts/entry/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Field } from '../../ui/field.tsx'
import { useSubmit } from '../../ui/use-submit.ts'
import { DeadLink, isSpentLink, useLinkToken } from './mailed-link.tsx'

type NewPasswordFormProps = {
  label: string
  submitText: string
  /** Said when the link does not work any more, with the next step. */
  spent: string
  next: ReactNode
  save(token: string, password: string): Promise<unknown>
}

/** Chooses a password with the token of a mailed link. */
export function NewPasswordForm({ label, submitText, spent, next, save }: NewPasswordFormProps) {
  const t = useEntryTexts()
  const token = useLinkToken()
  const [password, setPassword] = useState('')
  const { error, isBusy, submit } = useSubmit(() => save(token, password))
  if (token === '' || isSpentLink(error))
    return (
      <DeadLink error={error} sentence={spent}>
        {next}
      </DeadLink>
    )
  const isWeak = isKasirError(error) && error.param === 'password'
  return (
    <form className="grid gap-4" onSubmit={submit}>
      <Field
        label={label}
        hint={t('password.hint')}
        type="password"
        required
        minLength={10}
        maxLength={200}
        autoComplete="new-password"
        value={password}
        onChange={({ target }) => setPassword(target.value)}
      />
      <Failure error={error} sentence={isWeak ? t('password.weak') : null} />
      <Button look="primary" size="large" type="submit" disabled={isBusy}>
        {submitText}
      </Button>
    </form>
  )
}
