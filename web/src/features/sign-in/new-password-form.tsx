import { isKasirError } from 'kasir-client'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useEntryTexts } from '../../texts/entry/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Field } from '../../ui/field.tsx'
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
  const [error, setError] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setError(null)
    try {
      await save(token, password)
    } catch (caught) {
      setError(caught)
      setBusy(false)
    }
  }
  if (token === '' || isSpentLink(error))
    return (
      <DeadLink error={error} sentence={spent}>
        {next}
      </DeadLink>
    )
  const isWeak = isKasirError(error) && error.param === 'password'
  return (
    <form className="grid gap-4" onSubmit={(event) => void submit(event)}>
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
