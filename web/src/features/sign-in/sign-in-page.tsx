import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { authFinishLogin, authLogin, isKasirError } from 'kasir-client'
import { type FormEvent, useState } from 'react'
import { EntryFrame } from '../../app/entry-frame.tsx'
import { call } from '../../app/service.ts'
import { useSession } from '../../app/session.ts'
import { useTill } from '../../app/till.ts'
import { useTexts } from '../../texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Field } from '../../ui/field.tsx'

export function SignInPage() {
  const t = useTexts()
  const navigate = useNavigate()
  const isTill = useTill((state) => state.till !== null)
  const { to } = useSearch({ from: '/masuk' })
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [challenge, setChallenge] = useState<string | null>(null)
  const [code, setCode] = useState('')
  const [error, setError] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)
  const signIn = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setError(null)
    try {
      const { user, account } =
        challenge === null
          ? await call(authLogin, { email: email.trim(), password })
          : await call(authFinishLogin, { challenge, code: code.trim() })
      useSession.getState().begin(user, account)
      useTill.getState().unlock()
      await navigate({ href: to ?? '/' })
    } catch (caught) {
      const asked = challengeIn(caught)
      if (asked === null) setError(caught)
      else setChallenge(asked)
    } finally {
      setBusy(false)
    }
  }
  return (
    <EntryFrame title={t('signIn.title')} text={t('signIn.text')}>
      <form className="grid gap-4" onSubmit={(event) => void signIn(event)}>
        {challenge === null ? (
          <>
            <Field
              label={t('signIn.email')}
              type="email"
              autoComplete="username"
              required
              value={email}
              onChange={({ target }) => setEmail(target.value)}
            />
            <Field
              label={t('signIn.password')}
              type="password"
              autoComplete="current-password"
              required
              value={password}
              onChange={({ target }) => setPassword(target.value)}
            />
          </>
        ) : (
          <Field
            label={t('signIn.code')}
            hint={t('signIn.codeHint')}
            autoComplete="one-time-code"
            required
            value={code}
            onChange={({ target }) => setCode(target.value)}
          />
        )}
        <Failure error={error} />
        <Button look="primary" size="large" type="submit" disabled={isBusy}>
          {t('signIn')}
        </Button>
      </form>
      {isTill && (
        <p className="mt-6 text-center">
          <Link
            to="/jual"
            className="inline-flex min-h-12 items-center font-semibold text-brand underline underline-offset-4"
          >
            {t('signIn.pin')}
          </Link>
        </p>
      )}
      <p className="mt-6 text-center">
        <Link
          to="/daftar"
          className="inline-flex min-h-12 items-center font-semibold text-brand underline underline-offset-4"
        >
          {t('signIn.create')}
        </Link>
      </p>
    </EntryFrame>
  )
}

/** The challenge of a second factor: the password was right, and a code is still to come. */
function challengeIn(error: unknown): string | null {
  if (!isKasirError(error) || error.code !== 'SECOND_FACTOR_REQUIRED') return null
  const challenge = error.details?.['challenge']
  return typeof challenge === 'string' ? challenge : null
}
