import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { authChangePassword } from 'kasir-client'
import { useState } from 'react'
import { call } from '../../app/service.ts'
import { Panel } from '../../office/panel.tsx'
import { AccountFailure } from '../../office/proof/account-failure.tsx'
import { useAccountTexts } from '../../texts/account/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { useSubmit } from '../../ui/use-submit.ts'

/** Changes the own password with the current one. */
export function PasswordPanel() {
  const t = useAccountTexts()
  const queries = useQueryClient()
  const [current, setCurrent] = useState('')
  const [next, setNext] = useState('')
  const { error, isBusy, isDone, submit } = useSubmit(async () => {
    await call(authChangePassword, { currentPassword: current, password: next })
    setCurrent('')
    setNext('')
    void queries.invalidateQueries({ queryKey: ['sessions'] })
  })
  return (
    <Panel title={t('password')}>
      <form className="grid gap-4 p-4" onSubmit={submit}>
        <Field
          label={t('password.current')}
          type="password"
          autoComplete="current-password"
          required
          maxLength={200}
          value={current}
          onChange={({ target }) => setCurrent(target.value)}
        />
        <Field
          label={t('password.new')}
          hint={t('password.hint')}
          type="password"
          autoComplete="new-password"
          required
          minLength={10}
          maxLength={200}
          value={next}
          onChange={({ target }) => setNext(target.value)}
        />
        <AccountFailure error={error} />
        {isDone && (
          <p role="status" className="font-medium text-brand">
            {t('password.done')}
          </p>
        )}
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <Button look="primary" type="submit" disabled={isBusy}>
            {t('password.change')}
          </Button>
          <Link
            to="/lupa-kata-sandi"
            className="inline-flex min-h-11 items-center font-semibold text-brand underline"
          >
            {t('password.forgot')}
          </Link>
        </div>
      </form>
    </Panel>
  )
}
