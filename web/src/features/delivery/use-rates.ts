import { useMutation } from '@tanstack/react-query'
import { deliveryQuote, isKasirError } from 'kasir-client'
import { call } from '../../app/service.ts'
import type { FormState } from '../../office/form/use-form.ts'
import { fieldSentence } from '../../office/partner-refusal.ts'
import { useDeliveryTexts } from '../../texts/delivery/texts.ts'
import { useGateTexts } from '../../texts/module-gate/texts.ts'
import { parcelFrom, type ShipmentValues } from './shipment-values.ts'

const COURIER = ['courierCode', 'courierServiceCode']

/**
 * The prices of couriers for the parcel of a form. The form that it returns forgets the courier when the parcel
 * changes, because its price was for another parcel, and shows refusals of the quote at their fields.
 */
export function useRates(form: FormState<ShipmentValues>) {
  const d = useDeliveryTexts()
  const gate = useGateTexts()
  const parcel = parcelFrom(form.values)
  const text = JSON.stringify(parcel)
  const quote = useMutation({
    mutationFn: async ({ body }: { text: string; body: typeof parcel }) =>
      (await call(deliveryQuote, body)).rates,
  })
  const isOfThisParcel = quote.variables?.text === text
  const refusal = isOfThisParcel && isKasirError(quote.error) ? quote.error : null
  const errorAt = (param: string): string | null => {
    const error = form.errorAt(param)
    if (COURIER.includes(param) && error !== null) return d('rates.choose')
    return error ?? (refusal?.param === param ? fieldSentence(refusal, gate) : null)
  }
  const shown: FormState<ShipmentValues> = {
    ...form,
    set: (change) => {
      const isParcel = Object.keys(change).some((name) => !COURIER.includes(name))
      form.set(isParcel ? { ...change, courierCode: '', courierServiceCode: '' } : change)
    },
    errorAt,
    error: form.error ?? refusal,
    refusedParam: form.refusedParam ?? refusal?.param ?? null,
  }
  return {
    form: shown,
    rates: isOfThisParcel ? (quote.data ?? null) : null,
    isBusy: quote.isPending,
    /** An error that belongs to no field. */
    error: isOfThisParcel && refusal?.param === undefined ? quote.error : null,
    ask: () => quote.mutate({ text, body: parcel }),
  }
}
