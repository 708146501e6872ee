import { useLocation, useNavigate } from '@tanstack/react-router'
import { EntryFrame } from '../../app/entry-frame.tsx'
import { useEntryTexts } from '../../texts/entry/texts.ts'
import { Notice } from '../../ui/notice.tsx'
import { CodeForm } from './code-form.tsx'
import { EntryLink } from './entry-link.tsx'

/** The second step after the page of a sign-in provider, which leads here with the challenge. */
export function SecondFactorPage() {
  const t = useEntryTexts()
  const navigate = useNavigate()
  const values = new URLSearchParams(useLocation().hash)
  const challenge = values.get('challenge') ?? ''
  const returnTo = values.get('returnTo') ?? ''
  if (challenge === '')
    return (
      <EntryFrame title={t('code.title')}>
        <Notice text={t('code.missing')} />
        <EntryLink to="/masuk">{t('link.toSignIn')}</EntryLink>
      </EntryFrame>
    )
  return (
    <EntryFrame title={t('code.title')} text={t('code.text')}>
      <CodeForm
        challenge={challenge}
        onSignedIn={() => navigate({ href: /^\/[a-z]/.test(returnTo) ? returnTo : '/', replace: true })}
        onRestart={() => void navigate({ to: '/masuk', replace: true })}
      />
    </EntryFrame>
  )
}
