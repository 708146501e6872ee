import { tillsCreate } from 'kasir-client'
import { type FormEvent, useState } from 'react'
import { useDevice } from '../../app/device.ts'
import { call } from '../../app/service.ts'
import { refreshTill, useTill } from '../../app/till.ts'
import { requestPersistence } from '../../offline/persistence.ts'
import { useOutlet, useShop } from '../../offline/shop.ts'
import { useTexts } from '../../texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Field } from '../../ui/field.tsx'

/** Enrols this browser as a till, so that members switch with a PIN. */
export function EnrolDialog({ onClose }: { onClose(): void }) {
  const t = useTexts()
  const outlet = useOutlet()
  const [name, setName] = useState('')
  const [error, setError] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)
  const enrol = async (event: FormEvent) => {
    event.preventDefault()
    if (!outlet?.isActive || name.trim() === '') return
    setBusy(true)
    requestPersistence()
    try {
      await call(tillsCreate, { outletId: outlet.id, name: name.trim() })
      await refreshTill()
      const { till } = useTill.getState()
      const { accountId } = useShop.getState()
      if (till !== null && accountId !== null) useDevice.getState().setOutlet(accountId, till.outletId)
      onClose()
    } catch (caught) {
      setError(caught)
      setBusy(false)
    }
  }
  return (
    <Dialog title={t('till.enrol')} onClose={onClose}>
      <form className="grid gap-4" onSubmit={(event) => void enrol(event)}>
        <p className="text-muted">{t('till.enrolText', { outlet: outlet?.name ?? '' })}</p>
        <Field
          label={t('till.name')}
          hint={t('till.nameHint')}
          value={name}
          maxLength={80}
          onChange={({ target }) => setName(target.value)}
        />
        <Failure error={error} />
        <Button
          look="primary"
          size="large"
          type="submit"
          disabled={isBusy || !outlet?.isActive || name.trim() === ''}
        >
          {t('till.enrolNow')}
        </Button>
      </form>
    </Dialog>
  )
}
