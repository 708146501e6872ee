import { useQuery, useQueryClient } from '@tanstack/react-query'
import { productsLookup } from 'kasir-client'
import { useId, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { call } from '../app/service.ts'
import { useOfficeTexts } from '../texts/office/texts.ts'
import { useTexts } from '../texts/texts.ts'
import { beep } from '../ui/beep.ts'
import { Failure, sentenceOf } from '../ui/failure.tsx'
import { FIELD } from '../ui/field.tsx'
import { formatRupiah } from '../ui/rupiah.ts'
import type { SoldBy } from './goods-amounts.ts'

export type PickedVariant = {
  variantId: string
  name: string
  price: number
  soldBy: SoldBy
  /** The pack whose barcode was scanned or typed. */
  pack: { id: string; name: string; factor: number } | null
}

type PickerProps = {
  label: string
  /** Variants that cannot be picked, because they are picked already. */
  except?: readonly string[]
  onPick(variant: PickedVariant): void
}

type Match = Awaited<ReturnType<typeof productsLookup>>['matches'][number]

const lookup = (q: string) => ({
  queryKey: ['lookup', q],
  queryFn: async () => (await call(productsLookup, { q })).matches,
})

const toPicked = ({ variantId, productName, variantName, price, soldBy, pack }: Match): PickedVariant => ({
  variantId,
  price,
  soldBy,
  pack,
  name: variantName === 'Default' ? productName : `${productName} · ${variantName}`,
})

type Missed = { q: string; error: unknown }

/**
 * Picks the first match of what was in the field at Enter. A scanner sends Enter before the service has answered, and
 * the next code may follow before that: each waits for the one before.
 */
function useFirstMatch(picker: PickerProps) {
  const queries = useQueryClient()
  const field = useRef<HTMLInputElement>(null)
  const [missed, setMissed] = useState<Missed | null>(null)
  const latest = useRef(picker)
  useLayoutEffect(() => {
    latest.current = picker
  })
  const chain = useRef(Promise.resolve())
  const miss = (q: string, error: unknown) => {
    beep()
    setMissed({ q, error })
  }
  const pickFirst = async (q: string) => {
    const matches = await queries.fetchQuery(lookup(q))
    // A field for one choice is gone after it.
    if (field.current === null) return
    const { except = [], onPick } = latest.current
    const first = matches.find(({ variantId }) => !except.includes(variantId))
    if (first === undefined) return miss(q, null)
    // The next pick must see the row of this one.
    flushSync(() => onPick(toPicked(first)))
  }
  const take = (q: string) => {
    setMissed(null)
    chain.current = chain.current.then(() => pickFirst(q)).catch((error: unknown) => miss(q, error))
  }
  return { field, missed, take }
}

/** Finds a variant by name, SKU or barcode. A scanner types the code and Enter, which picks the first one. */
export function VariantPicker(props: PickerProps) {
  const { label, except = [], onPick } = props
  const t = useOfficeTexts()
  const common = useTexts()
  const id = useId()
  const [text, setText] = useState('')
  const { field, missed, take } = useFirstMatch(props)
  const q = text.trim()
  const found = useQuery({ ...lookup(q), enabled: q !== '', placeholderData: (before) => before })
  const matches = q === '' ? [] : (found.data ?? []).filter(({ variantId }) => !except.includes(variantId))
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      <input
        ref={field}
        id={id}
        type="search"
        autoComplete="off"
        placeholder={t('picker.hint')}
        className={FIELD}
        value={text}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          if (q === '') return
          setText('')
          take(q)
        }}
      />
      {missed !== null && (
        <p role="alert" className="text-sm font-medium text-danger wrap-anywhere">
          {missed.q}: {missed.error === null ? t('picker.nothing') : sentenceOf(missed.error, common)}
        </p>
      )}
      <Failure error={found.error} />
      {q !== '' && found.isSuccess && matches.length === 0 && (
        <p className="text-sm text-muted">{t('picker.nothing')}</p>
      )}
      {matches.length > 0 && (
        <ul aria-label={label} className="max-h-60 divide-y overflow-y-auto rounded-xl border bg-panel">
          {matches.map((match) => (
            <li key={match.variantId}>
              <button
                type="button"
                className="flex min-h-11 w-full items-center gap-3 px-3 py-1.5 text-left text-sm hover:bg-brand-soft"
                onClick={() => {
                  onPick(toPicked(match))
                  setText('')
                }}
              >
                <span className="min-w-0 flex-1 break-words">
                  {match.productName} · {match.variantName}
                </span>
                <span className="text-xs text-muted">{match.sku}</span>
                <span className="amount">{formatRupiah(match.price)}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
