import { useMutation } from '@tanstack/react-query'
import { isKasirError } from 'kasir-client'
import { Trash2 } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { useRequestKey } from '../../app/request-key.ts'
import { useArrangeTexts } from '../../texts/arrange/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Field } from '../../ui/field.tsx'

type Write = { idempotencyKey: string }
type EditDialogProps = {
  kind: 'Table' | 'Floor'
  name: string
  label: string
  most: number
  rename(name: string, options: Write): Promise<unknown>
  remove(options: Write): Promise<unknown>
  onDone(): void
  onClose(): void
}

/** Renames or deletes a table or a floor. */
export function EditDialog({ kind, name, label, most, rename, remove, onDone, onClose }: EditDialogProps) {
  const t = useArrangeTexts()
  const send = useRequestKey()
  const [typed, setTyped] = useState(name)
  const [isDeleting, setDeleting] = useState(false)
  const write = useMutation({
    mutationFn: (work: (options: Write) => Promise<unknown>) =>
      send((idempotencyKey) => work({ idempotencyKey })),
    onSuccess: onDone,
  })
  const save = (event: FormEvent) => {
    event.preventDefault()
    write.mutate((options) => rename(typed.trim(), options))
  }
  const hasTables = kind === 'Floor' && isKasirError(write.error) && write.error.code === 'CONFLICT'
  return (
    <Dialog title={t(kind === 'Table' ? 'edit.table' : 'edit.floor', { name })} onClose={onClose}>
      <form className="grid gap-3" onSubmit={save}>
        {isDeleting ? (
          <p>{t(`edit.delete${kind}Text`)}</p>
        ) : (
          <Field
            label={label}
            maxLength={most}
            autoComplete="off"
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
          />
        )}
        <Failure error={write.error} sentence={hasTables && isDeleting ? t('edit.hasTables') : null} />
        <div className="flex flex-wrap gap-2">
          {!isDeleting && (
            <Button
              type="submit"
              look="primary"
              disabled={write.isPending || typed.trim() === '' || typed.trim() === name}
            >
              {t('edit.save')}
            </Button>
          )}
          <Button
            look={isDeleting ? 'danger' : 'quiet'}
            className={isDeleting ? '' : 'text-danger!'}
            disabled={write.isPending}
            onClick={() => (isDeleting ? write.mutate(remove) : setDeleting(true))}
          >
            <Trash2 aria-hidden size={18} />
            {t(`edit.delete${kind}`)}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
