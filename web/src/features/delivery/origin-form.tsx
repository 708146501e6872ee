import { deliveryGetOrigin, deliveryUpdateOrigin } from 'kasir-client'
import { useState } from 'react'
import { call } from '../../app/service.ts'
import type { FieldSpec } from '../../office/form/field-spec.ts'
import { FormPage } from '../../office/form/form-page.tsx'
import { useForm } from '../../office/form/use-form.ts'
import { useRecord } from '../../office/form/use-record.ts'
import { useMay } from '../../office/may.tsx'
import { ModuleFailure } from '../../office/module-gate.tsx'
import { RecordState } from '../../office/record-state.tsx'
import { type DeliveryTranslate, useDeliveryTexts } from '../../texts/delivery/texts.ts'

type OriginValues = {
  contactName: string
  contactPhone: string
  address: string
  postalCode: string | null
  note: string | null
}

async function read(): Promise<OriginValues> {
  const { origin } = await call(deliveryGetOrigin)
  const { contactName = '', contactPhone = '', address = '', postalCode = null, note = null } = origin ?? {}
  return { contactName, contactPhone, address, postalCode, note }
}

/** The place where couriers pick up parcels. */
export function OriginForm() {
  const [version, setVersion] = useState(0)
  const record = useRecord(['origin', version], read)
  if (!record.data) return <RecordState query={record} ErrorView={ModuleFailure} />
  return <OriginFormPage key={version} origin={record.data} onSaved={() => setVersion((now) => now + 1)} />
}

function OriginFormPage({ origin, onSaved }: { origin: OriginValues; onSaved(): void }) {
  const d = useDeliveryTexts()
  const may = useMay()
  const form = useForm<OriginValues>({
    name: 'delivery:origin',
    initial: origin,
    save: (_values, changes, options) => call(deliveryUpdateOrigin, changes, options),
    readAgain: read,
    onSaved,
  })
  return (
    <FormPage
      title={d('origin')}
      form={form}
      hasList={false}
      isReadOnly={!may('delivery.updateOrigin')}
      before={<p className="text-muted">{d('origin.text')}</p>}
      fields={fieldsIn(d)}
    />
  )
}

const fieldsIn = (d: DeliveryTranslate): readonly FieldSpec<OriginValues>[] => [
  { kind: 'text', name: 'contactName', label: d('origin.name'), isRequired: true, maxLength: 120 },
  { kind: 'tel', name: 'contactPhone', label: d('origin.phone'), isRequired: true, maxLength: 20 },
  {
    kind: 'area',
    name: 'address',
    label: d('place.address'),
    isRequired: true,
    maxLength: 500,
    isWide: true,
  },
  {
    kind: 'text',
    name: 'postalCode',
    label: d('place.postalCode'),
    hint: d('place.postalCodeHint'),
    maxLength: 5,
  },
  { kind: 'text', name: 'note', label: d('place.note'), maxLength: 300 },
]
