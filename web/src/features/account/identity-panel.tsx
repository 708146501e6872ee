import { type UseQueryResult, useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type Account, authAskForProof, type Caller, isKasirError } from 'kasir-client'
import type { ReactNode } from 'react'
import { call } from '../../app/service.ts'
import { Panel } from '../../office/panel.tsx'
import { AccountFailure } from '../../office/proof/account-failure.tsx'
import { StateMark } from '../../office/state-mark.tsx'
import { useAccountTexts } from '../../texts/account/texts.ts'
import { useTexts } from '../../texts/texts.ts'
import { Button } from '../../ui/button.tsx'

type IdentityPanelProps = { me: UseQueryResult<{ user: Caller; account: Account }> }

/** Name, e-mail address with its confirmation, role and business. */
export function IdentityPanel({ me }: IdentityPanelProps) {
  const t = useAccountTexts()
  const common = useTexts()
  if (!me.data)
    return (
      <Panel title={t('identity')} error={me.error}>
        <p role="status" className="p-4 text-muted">
          {t('loading')}
        </p>
      </Panel>
    )
  const { user, account } = me.data
  return (
    <Panel title={t('identity')}>
      <dl className="grid gap-3 p-4">
        <Row name={t('name')}>{user.name}</Row>
        <Row name={common('signIn.email')}>
          {user.email}{' '}
          <StateMark look={user.emailVerifiedAt === null ? 'warn' : 'good'}>
            {t(user.emailVerifiedAt === null ? 'email.unconfirmed' : 'email.confirmed')}
          </StateMark>
          {user.emailVerifiedAt === null && <SendLink />}
        </Row>
        <Row name={t('role')}>{common(`role.${user.role}`)}</Row>
        <Row name={t('business')}>{account.businessName}</Row>
      </dl>
      <p className="border-t px-4 py-3 text-sm text-muted">
        {user.role === 'OWNER' ? (
          <Link
            to="/orang"
            search={{ tab: 'members', id: user.id }}
            className="inline-flex min-h-11 items-center font-semibold text-brand underline"
          >
            {t('identity.change')}
          </Link>
        ) : (
          t('identity.owner')
        )}
      </p>
    </Panel>
  )
}

function Row({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid gap-0.5 sm:grid-cols-[8rem_1fr]">
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="min-w-0 font-medium wrap-anywhere">{children}</dd>
    </div>
  )
}

function SendLink() {
  const t = useAccountTexts()
  const link = useMutation({ mutationFn: () => call(authAskForProof) })
  const isTooOften = isKasirError(link.error) && link.error.code === 'RATE_LIMITED'
  if (link.isSuccess)
    return (
      <p role="status" className="mt-2 text-sm">
        {t('email.sent')}
      </p>
    )
  return (
    <div className="mt-2 grid justify-items-start gap-2">
      <AccountFailure error={link.error} {...(isTooOften && { sentence: 'email.busy' })} />
      <Button disabled={link.isPending} onClick={() => link.mutate()}>
        {t('email.send')}
      </Button>
    </div>
  )
}
