import { Plus, Trash2 } from 'lucide-react'
import { type KeyboardEvent, useState } from 'react'
import { useOfficeTexts } from '../texts/office/texts.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'

type NameListProps = {
  label: string
  hint: string
  names: readonly string[]
  error: string | null
  onNames(names: string[]): void
}

/** A short list of names that the shop chooses itself. */
export function NameList({ label, hint, names, error, onNames }: NameListProps) {
  const t = useOfficeTexts()
  const [text, setText] = useState('')
  const add = () => {
    const name = text.trim()
    if (name === '') return
    onNames([...names, name])
    setText('')
  }
  const addOnEnter = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return
    // Enter in the list adds a name; it does not send the form.
    event.preventDefault()
    add()
  }
  return (
    <fieldset className="grid gap-3">
      <legend className="mb-2 text-lg font-semibold">{label}</legend>
      <p className="text-sm text-muted">{hint}</p>
      <ul aria-label={label} className="flex flex-wrap gap-2">
        {names.map((name, at) => (
          // oxlint-disable-next-line react/no-array-index-key -- a name may be typed twice before the service refuses it
          <li key={at} className="flex min-w-0 items-center rounded-xl border bg-panel pl-3 text-sm">
            <span className="min-w-0 wrap-anywhere">{name}</span>
            <Button
              look="quiet"
              size="icon"
              aria-label={t('remove', { name })}
              onClick={() => onNames(names.filter((_, each) => each !== at))}
            >
              <Trash2 aria-hidden size={18} />
            </Button>
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap items-end gap-3">
        <div className="min-w-48 flex-1">
          <Field
            label={t('names.new')}
            value={text}
            maxLength={60}
            onChange={({ target }) => setText(target.value)}
            onKeyDown={addOnEnter}
          />
        </div>
        <Button disabled={text.trim() === ''} onClick={add}>
          <Plus aria-hidden size={18} />
          {t('names.add')}
        </Button>
      </div>
      {error !== null && (
        <p role="alert" className="text-sm font-medium text-danger">
          {error}
        </p>
      )}
    </fieldset>
  )
}
