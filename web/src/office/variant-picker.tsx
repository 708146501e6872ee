import { useQuery } from '@tanstack/react-query'
import { productsLookup } from 'kasir-client'
import { useId, useState } from 'react'
import { call } from '../app/service.ts'
import { useOfficeTexts } from '../texts/office/texts.ts'
import { Failure } from '../ui/failure.tsx'
import { FIELD } from '../ui/field.tsx'
import { formatRupiah } from '../ui/rupiah.ts'
import type { SoldBy } from './goods-amounts.ts'

export type PickedVariant = { variantId: string; name: string; price: number; soldBy: SoldBy }

type PickerProps = {
  label: string
  /** Variants that cannot be picked, because they are picked already. */
  except?: readonly string[]
  onPick(variant: PickedVariant): void
}

/** Finds a variant by name, SKU or barcode. A scanner types the code and Enter, which picks the first one. */
export function VariantPicker({ label, except = [], onPick }: PickerProps) {
  const t = useOfficeTexts()
  const id = useId()
  const [text, setText] = useState('')
  const q = text.trim()
  const found = useQuery({
    queryKey: ['lookup', q],
    queryFn: async () => (await call(productsLookup, { q })).matches,
    enabled: q !== '',
    placeholderData: (before) => before,
  })
  const matches = q === '' ? [] : (found.data ?? []).filter(({ variantId }) => !except.includes(variantId))
  const pick = (match: (typeof matches)[number] | undefined) => {
    if (match === undefined) return
    const { variantId, productName, variantName, price, soldBy } = match
    onPick({
      variantId,
      price,
      soldBy,
      name: variantName === 'Default' ? productName : `${productName} · ${variantName}`,
    })
    setText('')
  }
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      <input
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
          if (!found.isPlaceholderData) pick(matches[0])
        }}
      />
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
                onClick={() => pick(match)}
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
