import { useQueryClient } from '@tanstack/react-query'
import { deliveryCreate } from 'kasir-client'
import { call } from '../../app/service.ts'
import type { FieldSpec } from '../../office/form/field-spec.ts'
import { FormPage } from '../../office/form/form-page.tsx'
import { useForm } from '../../office/form/use-form.ts'
import { useOfficeSearch } from '../../office/search-state.ts'
import { type DeliveryTranslate, useDeliveryTexts } from '../../texts/delivery/texts.ts'
import { ParcelRows } from './parcel-rows.tsx'
import { RatePicker } from './rate-picker.tsx'
import { NEW_SHIPMENT, parcelFrom, type ShipmentValues } from './shipment-values.ts'
import { useRates } from './use-rates.ts'

type ShipmentFormProps = {
  /** Values that the sale knows already. */
  initial: ShipmentValues | null
  /** The sale that the shipment delivers. */
  saleId: string | null
  title?: string
}

/** Creates a shipment as a draft: destination, parcel, and one of the couriers that take it. */
export function ShipmentForm({ initial, saleId, title }: ShipmentFormProps) {
  const d = useDeliveryTexts()
  const queries = useQueryClient()
  const [, setAddress] = useOfficeSearch()
  const typed = useForm<ShipmentValues>({
    name: `shipment:${saleId ?? 'new'}`,
    initial: initial ?? NEW_SHIPMENT,
    save: async (values, _changes, options) => {
      const { courierCode, courierServiceCode } = values
      const parcel = parcelFrom(values)
      const body = {
        ...parcel,
        courierCode,
        courierServiceCode,
        ...(saleId !== null && { transactionId: saleId }),
      }
      const { shipment } = await call(deliveryCreate, body, options)
      for (const key of ['shipments', 'deliveryOrders']) void queries.invalidateQueries({ queryKey: [key] })
      void setAddress({ tab: null, id: shipment.id }, true)
    },
    onSaved: () => {},
  })
  const quote = useRates(typed)
  const { form } = quote
  return (
    <FormPage
      title={title ?? d('shipment.new')}
      form={form}
      submitText={d('shipment.create')}
      fields={fieldsIn(d)}
    >
      <ParcelRows form={form} />
      <RatePicker form={form} quote={quote} />
    </FormPage>
  )
}

const fieldsIn = (d: DeliveryTranslate): readonly FieldSpec<ShipmentValues>[] => [
  {
    kind: 'text',
    name: 'destination.contactName',
    label: d('place.name'),
    isRequired: true,
    maxLength: 120,
  },
  {
    kind: 'tel',
    name: 'destination.contactPhone',
    label: d('place.phone'),
    isRequired: true,
    maxLength: 20,
  },
  {
    kind: 'area',
    name: 'destination.address',
    label: d('place.address'),
    isRequired: true,
    maxLength: 500,
    isWide: true,
  },
  {
    kind: 'text',
    name: 'destination.postalCode',
    label: d('place.postalCode'),
    hint: d('place.postalCodeHint'),
    maxLength: 5,
  },
  { kind: 'text', name: 'destination.note', label: d('place.note'), maxLength: 300 },
  { kind: 'switch', name: 'insurance', label: d('parcel.insure'), isWide: true },
]
