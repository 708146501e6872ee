import type { StockCountDetail } from 'kasir-client'
import type { FormEvent } from 'react'
import { WholeInput } from '../../../office/form/whole-input.tsx'
import { amountOfGoods } from '../../../office/goods-amounts.ts'
import { VariantPicker } from '../../../office/variant-picker.tsx'
import { useOfficeTexts } from '../../../texts/office/texts.ts'
import { Button } from '../../../ui/button.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { FIELD } from '../../../ui/field.tsx'
import { CountCamera } from './count-camera.tsx'
import type { CountForm, Counting } from './use-counting.ts'

type CountEntryProps = { count: StockCountDetail; counting: CountForm }

/** Counts by scanner, camera or name. */
export function CountEntry({ count, counting }: CountEntryProps) {
  const t = useOfficeTexts()
  const { now, set, begin, takeCode, unknown, error, isBusy, isPaused, write } = counting
  return (
    <section
      aria-label={t('count.entry')}
      inert={isPaused}
      className="grid gap-3 rounded-xl border bg-panel p-4"
    >
      {now === null ? (
        <>
          <VariantPicker
            label={t('count.find')}
            onPick={({ variantId, name, soldBy }) => begin({ variantId, name, soldBy }, null)}
          />
          <p className="text-sm text-muted">{t('count.scanHint')}</p>
        </>
      ) : (
        <QuantityForm
          key={now.variantId}
          now={now}
          before={count.lines.find(({ variantId }) => variantId === now.variantId)?.quantity}
          isBusy={isBusy}
          onChange={set}
          onSave={() => write(now)}
        />
      )}
      {unknown !== null && (
        <p role="alert" className="rounded-xl bg-danger-soft p-3 font-medium text-danger wrap-anywhere">
          {t('count.unknown', { code: unknown })}
        </p>
      )}
      <Failure error={error} />
      <CountCamera onCode={takeCode} />
    </section>
  )
}

type QuantityFormProps = {
  now: Counting
  /** What was counted before; the new quantity replaces it (B-count-2). */
  before: number | undefined
  isBusy: boolean
  onChange(next: Counting | null): void
  onSave(): void
}

function QuantityForm({ now, before, isBusy, onChange, onSave }: QuantityFormProps) {
  const t = useOfficeTexts()
  const save = (event: FormEvent) => {
    event.preventDefault()
    onSave()
  }
  return (
    <form onSubmit={save} className="grid gap-3">
      <p className="text-lg font-semibold wrap-anywhere">{now.name}</p>
      {before !== undefined && (
        <p className="text-sm text-warn">{t('count.replaces', { n: amountOfGoods(now.soldBy, before) })}</p>
      )}
      <label className="grid gap-1.5 text-sm font-medium">
        {t(now.soldBy === 'WEIGHT' ? 'count.grams' : 'count.quantity')}
        <WholeInput
          // A keyboard that opens at each scan would cover the screen of a phone.
          ref={(field) => {
            if (now.quantity === null) field?.focus()
          }}
          min={0}
          required
          className={`${FIELD} min-h-16! text-3xl! font-semibold`}
          value={now.quantity}
          onValue={(quantity) => onChange({ ...now, quantity, isUnread: false })}
          onUnread={() => onChange({ ...now, isUnread: true })}
        />
      </label>
      <div className="flex gap-3">
        <Button size="large" onClick={() => onChange(null)} disabled={isBusy}>
          {t('count.drop')}
        </Button>
        <Button
          type="submit"
          look="primary"
          size="large"
          className="flex-1"
          disabled={(now.quantity === null && now.isUnread !== true) || isBusy}
        >
          {t('count.save')}
        </Button>
      </div>
    </form>
  )
}
