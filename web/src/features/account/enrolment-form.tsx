import { useQueryClient } from '@tanstack/react-query'
import { authConfirmSecondFactor } from 'kasir-client'
import { useState } from 'react'
import { call } from '../../app/service.ts'
import { AccountFailure } from '../../office/proof/account-failure.tsx'
import { useAccountTexts } from '../../texts/account/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { QrImage } from '../../ui/qr-image.tsx'
import { useSubmit } from '../../ui/use-submit.ts'

type EnrolmentFormProps = {
  secret: string
  url: string
  onConfirmed(recoveryCodes: readonly string[]): void
  onCancel(): void
}

/** Shows the secret as a QR code, drawn on this device, and takes the first code of the app. */
export function EnrolmentForm({ secret, url, onConfirmed, onCancel }: EnrolmentFormProps) {
  const t = useAccountTexts()
  const queries = useQueryClient()
  const [code, setCode] = useState('')
  const { error, isBusy, submit } = useSubmit(async () => {
    const { recoveryCodes } = await call(authConfirmSecondFactor, { code: code.trim() })
    void queries.invalidateQueries({ queryKey: ['sessions'] })
    onConfirmed(recoveryCodes)
  })
  return (
    <form className="grid gap-4" onSubmit={submit}>
      <div>
        <h3 className="font-semibold">{t('factor.scan')}</h3>
        <p className="text-sm text-muted">{t('factor.apps')}</p>
      </div>
      <QrImage content={url} label={t('factor.scan')} className="w-56 max-w-full" />
      <p className="text-sm">
        {t('factor.secret')}{' '}
        <code className="mt-1 block font-semibold tracking-wider wrap-anywhere select-all">
          {secret.replaceAll(/(.{4})(?=.)/g, '$1 ')}
        </code>
      </p>
      <Field
        label={t('factor.code')}
        hint={t('factor.codeHint')}
        inputMode="numeric"
        autoComplete="one-time-code"
        required
        maxLength={10}
        value={code}
        onChange={({ target }) => setCode(target.value)}
      />
      <AccountFailure error={error} />
      <div className="flex flex-wrap gap-2">
        <Button look="primary" type="submit" disabled={isBusy}>
          {t('factor.confirm')}
        </Button>
        <Button look="quiet" onClick={onCancel}>
          {t('cancel')}
        </Button>
      </div>
    </form>
  )
}
