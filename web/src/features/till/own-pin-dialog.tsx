import { authChangePin } from 'kasir-client'
import { type FormEvent, useState } from 'react'
import { call } from '../../app/service.ts'
import { refreshTill, useTill } from '../../app/till.ts'
import { useTexts } from '../../texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Field } from '../../ui/field.tsx'

/** A member sets the PIN that opens the register for them. */
export function OwnPinDialog({ onClose }: { onClose(): void }) {
  const t = useTexts()
  const [pin, setPin] = useState('')
  const [password, setPassword] = useState('')
  const [error, setError] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)
  const save = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setError(null)
    try {
      await call(authChangePin, { pin, currentPassword: password })
      if (useTill.getState().till !== null) await refreshTill()
      onClose()
    } catch (caught) {
      setError(caught)
      setBusy(false)
    }
  }
  return (
    <Dialog title={t('pin.own')} onClose={onClose}>
      <form className="grid gap-4" onSubmit={(event) => void save(event)}>
        <Field
          label={t('pin.new')}
          hint={t('pin.hint')}
          type="password"
          inputMode="numeric"
          autoComplete="off"
          value={pin}
          onChange={({ target }) => setPin(target.value.replaceAll(/\D/g, '').slice(0, 8))}
        />
        <Field
          label={t('signIn.password')}
          type="password"
          autoComplete="current-password"
          value={password}
          onChange={({ target }) => setPassword(target.value)}
        />
        <Failure error={error} />
        <Button
          look="primary"
          size="large"
          type="submit"
          disabled={isBusy || pin.length < 4 || password === ''}
        >
          {t('goods.save')}
        </Button>
      </form>
    </Dialog>
  )
}
