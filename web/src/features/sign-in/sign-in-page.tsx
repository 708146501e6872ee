import { useNavigate, useSearch } from '@tanstack/react-router'
import { authListSessions, authLogin, authMe, isKasirError } from 'kasir-client'
import { useEffect, useState } from 'react'
import { EntryFrame } from '../../app/entry-frame.tsx'
import { call } from '../../app/service.ts'
import { useSession } from '../../app/session.ts'
import { useTill } from '../../app/till.ts'
import { useEntryTexts } from '../../texts/entry/texts.ts'
import { useTexts } from '../../texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Field } from '../../ui/field.tsx'
import { useSubmit } from '../../ui/use-submit.ts'
import { beginSession } from './begin-session.ts'
import { CodeForm } from './code-form.tsx'
import { EntryLink } from './entry-link.tsx'
import { ProviderButton } from './provider-button.tsx'

export function SignInPage() {
  const t = useEntryTexts()
  const navigate = useNavigate()
  const isTill = useTill((state) => state.till !== null)
  const { to } = useSearch({ from: '/masuk' })
  const [challenge, setChallenge] = useState<string | null>(null)
  const openTarget = () => navigate({ href: to ?? '/' })
  const providerError = useProviderReturn(openTarget)
  return (
    <EntryFrame title={t('signIn.title')} text={t('signIn.text')}>
      {challenge === null ? (
        <PasswordForm providerError={providerError} onSignedIn={openTarget} onChallenge={setChallenge} />
      ) : (
        <CodeForm challenge={challenge} onSignedIn={openTarget} onRestart={() => setChallenge(null)} />
      )}
      {challenge === null && <ProviderButton to={to ?? '/'} />}
      <EntryLink to="/lupa-kata-sandi">{t('forgot')}</EntryLink>
      {isTill && <EntryLink to="/jual">{t('signIn.pin')}</EntryLink>}
      <EntryLink to="/daftar">{t('signIn.create')}</EntryLink>
    </EntryFrame>
  )
}

/** The address of the return was opened without a sign-in at the provider. */
const NO_SIGN_IN = new Error('the session is older than the lock')

/**
 * Whether the session of the cookie began after this device was last locked or signed out. Anyone can type the address
 * that a provider leads back to.
 */
async function isNewSession(): Promise<boolean> {
  const { closedAt } = useSession.getState()
  if (closedAt === null) return !useTill.getState().isLocked
  const { sessions } = await call(authListSessions)
  return sessions.some(({ current, createdAt }) => current && createdAt > closedAt)
}

/** After the page of a provider the browser has a session, and the app asks whose it is. */
function useProviderReturn(onSignedIn: () => Promise<void>): unknown {
  const { via } = useSearch({ from: '/masuk' })
  const [error, setError] = useState<unknown>(null)
  useEffect(() => {
    if (via !== 'provider') return
    const enter = async () => {
      const me = await call(authMe)
      if (!(await isNewSession())) throw NO_SIGN_IN
      beginSession(me)
      await onSignedIn()
    }
    enter().catch(setError)
    // oxlint-disable-next-line react/exhaustive-deps -- once per return
  }, [via])
  return error
}

type PasswordFormProps = {
  providerError: unknown
  onSignedIn(): Promise<void>
  onChallenge(challenge: string): void
}

function PasswordForm({ providerError, onSignedIn, onChallenge }: PasswordFormProps) {
  const t = useEntryTexts()
  const common = useTexts()
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const { error, isBusy, submit } = useSubmit(async () => {
    const signedIn = await call(authLogin, { email: email.trim(), password }).catch((refused: unknown) => {
      const challenge = challengeIn(refused)
      if (challenge === null) throw refused
      onChallenge(challenge)
      return null
    })
    if (signedIn === null) return
    beginSession(signedIn)
    await onSignedIn()
  })
  const sentence = () => {
    if (!isKasirError(error)) return null
    if (error.code === 'INVALID_CREDENTIALS') return t('wrongCredentials')
    return error.code === 'RATE_LIMITED' ? t('locked') : null
  }
  return (
    <form className="grid gap-4" onSubmit={submit}>
      <Failure
        error={providerError}
        sentence={isKasirError(providerError) || providerError === NO_SIGN_IN ? t('providerFailed') : null}
      />
      <Field
        label={common('signIn.email')}
        type="email"
        autoComplete="username"
        required
        value={email}
        onChange={({ target }) => setEmail(target.value)}
      />
      <Field
        label={common('signIn.password')}
        type="password"
        autoComplete="current-password"
        required
        value={password}
        onChange={({ target }) => setPassword(target.value)}
      />
      <Failure error={error} sentence={sentence()} />
      <Button look="primary" size="large" type="submit" disabled={isBusy}>
        {common('signIn')}
      </Button>
    </form>
  )
}

/** The challenge of a second factor: the password was right, and a code is still to come. */
function challengeIn(error: unknown): string | null {
  if (!isKasirError(error) || error.code !== 'SECOND_FACTOR_REQUIRED') return null
  const challenge = error.details?.['challenge']
  return typeof challenge === 'string' ? challenge : null
}
