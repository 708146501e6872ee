import { classes } from './classes.ts'
import { formatAmount } from './rupiah.ts'

type Option = { id: string; name: string; price: number }
type ChoiceProps = {
  label: string
  hint: string
  options: readonly Option[]
  min: number
  max: number | null
  /** May hold ids of other choices too; they stay. */
  chosen: ReadonlySet<string>
  onChoose(chosen: ReadonlySet<string>): void
}

/** Radios if exactly one must be chosen, checkboxes otherwise; at the maximum the other boxes are disabled. */
export function Choice({ label, hint, options, min, max, chosen, onChoose }: ChoiceProps) {
  const isOne = min === 1 && max === 1
  const count = options.filter(({ id }) => chosen.has(id)).length
  const toggle = (id: string) => {
    const next = new Set(chosen)
    if (isOne) for (const option of options) next.delete(option.id)
    if (next.has(id)) next.delete(id)
    else next.add(id)
    onChoose(next)
  }
  return (
    <fieldset>
      <legend className="mb-2 font-semibold">
        {label} <span className="text-sm font-normal text-muted">{hint}</span>
      </legend>
      <div className="grid grid-cols-2 gap-2">
        {options.map(({ id, name, price }) => {
          const isChosen = chosen.has(id)
          const isFull = !isOne && !isChosen && max !== null && count >= max
          return (
            <label
              key={id}
              className={classes(
                'flex min-h-14 cursor-pointer items-center justify-between gap-2 rounded-xl border px-3 has-focus-visible:outline-3 has-focus-visible:outline-brand',
                isChosen ? 'border-brand bg-brand-soft' : 'border-control/60 bg-raised',
                isFull && 'cursor-not-allowed text-muted',
              )}
            >
              <input
                type={isOne ? 'radio' : 'checkbox'}
                name={isOne ? label : undefined}
                aria-label={name}
                checked={isChosen}
                disabled={isFull}
                onChange={() => toggle(id)}
                className="size-5 shrink-0 accent-brand"
              />
              <span className="min-w-0 flex-1 break-words">{name}</span>
              {price > 0 && <span className="amount text-sm text-muted">{formatAmount(price)}</span>}
            </label>
          )
        })}
      </div>
    </fieldset>
  )
}
