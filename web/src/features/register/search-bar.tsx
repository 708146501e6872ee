import { Search, X } from 'lucide-react'
import { type KeyboardEvent, type RefObject } from 'react'
import { useRegister } from '../../selling/register-store.ts'
import { useTexts } from '../../texts/texts.ts'
import { classes } from '../../ui/classes.ts'
import { quantityIn } from '../../ui/scan.ts'

type SearchBarProps = {
  field: RefObject<HTMLInputElement | null>
  onEnter(): void
  onArrow(step: 1 | -1): void
}

/** The one field of the register: a name, a barcode, or a quantity such as `3*` before either. */
export function SearchBar({ field, onEnter, onArrow }: SearchBarProps) {
  const t = useTexts()
  const { query, quantity, show } = useRegister()
  const type = (text: string) => {
    const typed = quantityIn(text)
    if (typed === null) show({ query: text })
    else show({ query: '', quantity: typed })
  }
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Enter') onEnter()
    else if (event.key === 'ArrowDown') onArrow(1)
    else if (event.key === 'ArrowUp') onArrow(-1)
    else if (event.key === 'Backspace' && query === '' && quantity !== null) show({ quantity: null })
    else return
    event.preventDefault()
  }
  return (
    <div className="relative flex-1">
      <Search
        aria-hidden
        size={20}
        className="pointer-events-none absolute inset-y-0 left-4 my-auto text-muted"
      />
      {quantity !== null && (
        <button
          type="button"
          aria-label={t('search.dropQuantity', { n: quantity })}
          className="absolute inset-y-1 left-11 inline-flex min-w-12 items-center justify-center gap-1 rounded-lg bg-brand px-2 font-semibold text-on-brand"
          onClick={() => show({ quantity: null })}
        >
          {quantity}× <X aria-hidden size={14} />
        </button>
      )}
      <input
        ref={field}
        type="search"
        aria-label={t('search')}
        placeholder={t('search.hint')}
        autoComplete="off"
        autoCorrect="off"
        spellCheck={false}
        enterKeyHint="search"
        value={query}
        onChange={({ target }) => type(target.value)}
        onKeyDown={press}
        className={classes(
          'min-h-12 w-full rounded-xl border border-control bg-raised pr-3 text-base placeholder:text-muted',
          quantity === null ? 'pl-11' : 'pl-28',
        )}
      />
    </div>
  )
}
