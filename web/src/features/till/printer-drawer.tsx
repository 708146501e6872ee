import { useMutation } from '@tanstack/react-query'
import { type Printer, printersOpenDrawer } from 'kasir-client'
import { type FormEvent, useState } from 'react'
import { call } from '../../app/service.ts'
import { checkForJobs } from '../../printing/till-printer.ts'
import { usePrintingTexts } from '../../texts/printing/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Field } from '../../ui/field.tsx'

/** Opens the drawer without a sale, for a reason that is recorded. */
export function PrinterDrawer({ printer: { id } }: { printer: Printer }) {
  const t = usePrintingTexts()
  const [reason, setReason] = useState('')
  const opening = useMutation({
    mutationFn: () => call(printersOpenDrawer, { id, reason: reason.trim() }),
    onSuccess: () => {
      setReason('')
      return checkForJobs()
    },
  })
  const open = (event: FormEvent) => {
    event.preventDefault()
    if (reason.trim() !== '') opening.mutate()
  }
  return (
    <form className="grid gap-2" onSubmit={open}>
      <div className="flex flex-wrap items-end gap-2">
        <div className="min-w-40 flex-1">
          <Field
            label={t('drawer.reason')}
            value={reason}
            maxLength={300}
            onChange={({ target }) => setReason(target.value)}
          />
        </div>
        <Button type="submit" disabled={reason.trim() === '' || opening.isPending}>
          {t('drawer.open')}
        </Button>
      </div>
      <Failure error={opening.error} />
    </form>
  )
}
