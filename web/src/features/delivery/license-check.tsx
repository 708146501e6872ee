import { useMutation } from '@tanstack/react-query'
import { licensesValidate } from 'kasir-client'
import { CircleCheck, CircleX } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { call } from '../../app/service.ts'
import { ModuleFailure } from '../../office/module-gate.tsx'
import { recordFrom, recordIn, textIn } from '../../office/partner-data.ts'
import { useDeliveryTexts } from '../../texts/delivery/texts.ts'
import { Button } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'

/** Asks the partner whether a key that a customer sent is valid. */
export function LicenseCheck({ onClose }: { onClose(): void }) {
  const d = useDeliveryTexts()
  const [key, setKey] = useState('')
  const check = useMutation({
    mutationFn: async () => {
      const answer = recordFrom(await call(licensesValidate, { key: key.trim() }))
      return { isValid: answer['valid'] === true, product: textIn(recordIn(answer, 'license'), 'product') }
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (key.trim() !== '') check.mutate()
  }
  const Icon = check.data?.isValid ? CircleCheck : CircleX
  return (
    <Dialog title={d('license.check')} onClose={onClose}>
      <form className="grid gap-3" onSubmit={submit}>
        <Field
          label={d('license.key')}
          autoComplete="off"
          maxLength={64}
          value={key}
          onChange={({ target }) => {
            setKey(target.value)
            check.reset()
          }}
        />
        {check.data && (
          <p
            role="status"
            className={classes(
              'flex items-start gap-3 rounded-xl p-3 font-medium',
              check.data.isValid ? 'bg-brand-soft text-brand' : 'bg-danger-soft text-danger',
            )}
          >
            <Icon aria-hidden size={20} className="mt-0.5 shrink-0" />
            <span className="min-w-0 wrap-anywhere">
              {check.data.isValid
                ? d('license.valid', { product: check.data.product || '–' })
                : d('license.invalid')}
            </span>
          </p>
        )}
        <ModuleFailure error={check.error} />
        <Button type="submit" look="primary" disabled={check.isPending || key.trim() === ''}>
          {d('license.check')}
        </Button>
      </form>
    </Dialog>
  )
}
