import { useId } from 'react'
import type { FormState } from '../../office/form/use-form.ts'
import { ModuleFailure } from '../../office/module-gate.tsx'
import { useDeliveryTexts } from '../../texts/delivery/texts.ts'
import { Button } from '../../ui/button.tsx'
import { formatRupiah } from '../../ui/rupiah.ts'
import type { ShipmentValues } from './shipment-values.ts'
import type { useRates } from './use-rates.ts'

type PickerProps = { form: FormState<ShipmentValues>; quote: ReturnType<typeof useRates> }

/** The couriers that take the parcel, cheapest first, of which one is chosen. */
export function RatePicker({ form, quote }: PickerProps) {
  const d = useDeliveryTexts()
  const name = useId()
  const { courierCode, courierServiceCode } = form.values
  const error = form.errorAt('courierCode') ?? form.errorAt('courierServiceCode')
  return (
    <fieldset className="grid min-w-0 gap-3">
      <legend className="mb-2 text-lg font-semibold">{d('rates')}</legend>
      <p className="text-sm text-muted">{d('rates.text')}</p>
      <Button className="justify-self-start" disabled={quote.isBusy || form.isBusy} onClick={quote.ask}>
        {d('rates.ask')}
      </Button>
      <ModuleFailure error={quote.error} />
      {quote.rates?.length === 0 && <p role="status">{d('rates.none')}</p>}
      {quote.rates?.map((rate) => (
        <label
          key={`${rate.courierCode} ${rate.courierServiceCode}`}
          className="flex min-h-12 cursor-pointer flex-wrap items-center gap-x-3 rounded-xl border bg-panel px-4 py-2 has-checked:border-brand has-checked:bg-brand-soft has-focus-visible:outline-3 has-focus-visible:outline-brand"
        >
          <input
            type="radio"
            name={name}
            data-param="courierCode"
            className="size-5 shrink-0 accent-brand"
            checked={rate.courierCode === courierCode && rate.courierServiceCode === courierServiceCode}
            onChange={() =>
              form.set({ courierCode: rate.courierCode, courierServiceCode: rate.courierServiceCode })
            }
          />
          <span className="min-w-0 flex-1 wrap-anywhere">
            <span className="font-medium">
              {rate.courierName} · {rate.courierServiceName}
            </span>
            {rate.duration !== null && (
              <span className="block text-sm text-muted">
                {d('rates.duration', { duration: rate.duration })}
              </span>
            )}
          </span>
          <span className="text-right tabular-nums">
            {formatRupiah(rate.price)}
            {rate.insuranceFee > 0 && (
              <span className="block text-sm text-muted">
                {d('shipment.insuranceFee', { amount: formatRupiah(rate.insuranceFee) })}
              </span>
            )}
          </span>
        </label>
      ))}
      {error !== null && (
        <p role="alert" className="text-sm font-medium text-danger">
          {error}
        </p>
      )}
    </fieldset>
  )
}
