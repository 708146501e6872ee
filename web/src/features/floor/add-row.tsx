import { type FormEvent, useState } from 'react'
import { useRequestKey } from '../../app/request-key.ts'
import { useTexts } from '../../texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Field } from '../../ui/field.tsx'

type AddRowProps = {
  title: string
  label: string
  most: number
  onAdd(name: string, idempotencyKey: string): Promise<void>
}

/** One field and a button that makes a table or a floor of that name. */
export function AddRow({ title, label, most, onAdd }: AddRowProps) {
  const t = useTexts()
  const send = useRequestKey()
  const [name, setName] = useState('')
  const [error, setError] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)
  const add = async (event: FormEvent) => {
    event.preventDefault()
    if (isBusy) return
    setBusy(true)
    setError(null)
    await send((key) => onAdd(name.trim(), key)).then(() => setName(''), setError)
    setBusy(false)
  }
  return (
    <form aria-label={title} className="grid gap-2" onSubmit={(event) => void add(event)}>
      <div className="flex items-end gap-2">
        <div className="min-w-0 flex-1">
          <Field
            label={label}
            value={name}
            maxLength={most}
            autoComplete="off"
            onChange={({ target }) => setName(target.value)}
          />
        </div>
        <Button type="submit" aria-label={title} disabled={isBusy || name.trim() === ''}>
          {t('arrange.add')}
        </Button>
      </div>
      <Failure error={error} />
    </form>
  )
}
