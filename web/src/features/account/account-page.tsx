import { useQuery } from '@tanstack/react-query'
import { authMe } from 'kasir-client'
import { call } from '../../app/service.ts'
import { useTexts } from '../../texts/texts.ts'
import { FactorPanel } from './factor-panel.tsx'
import { IdentityPanel } from './identity-panel.tsx'
import { PasswordPanel } from './password-panel.tsx'
import { SessionsPanel } from './sessions-panel.tsx'

/** The own account: who one is, the password, the second factor and the signed-in devices. */
export function AccountPage() {
  const t = useTexts()
  const me = useQuery({ queryKey: ['me'], queryFn: () => call(authMe) })
  return (
    <section className="grid gap-4 p-4 sm:p-6">
      <h1 className="text-2xl font-bold">{t('account')}</h1>
      <div className="grid items-start gap-4 xl:grid-cols-2">
        <div className="grid min-w-0 gap-4">
          <IdentityPanel me={me} />
          <PasswordPanel />
        </div>
        <div className="grid min-w-0 gap-4">
          <FactorPanel />
          <SessionsPanel />
        </div>
      </div>
    </section>
  )
}
