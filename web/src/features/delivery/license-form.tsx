import { useQueryClient } from '@tanstack/react-query'
import { licensesCreate } from 'kasir-client'
import { call } from '../../app/service.ts'
import { instantAt } from '../../office/days.ts'
import { FormPage } from '../../office/form/form-page.tsx'
import { useForm } from '../../office/form/use-form.ts'
import { zoneName, zoneOf } from '../../office/outlet-zone.ts'
import { useOfficeSearch } from '../../office/search-state.ts'
import { useDeliveryTexts } from '../../texts/delivery/texts.ts'

type LicenseValues = { product: string; expiresOn: string | null }

/** The end of a day on the clock of the outlet. */
const endOf = (day: string): string => instantAt(zoneOf(), `${day}T23:59:59`)

/** Issues a key for a product. */
export function LicenseForm() {
  const d = useDeliveryTexts()
  const queries = useQueryClient()
  const [, setAddress] = useOfficeSearch()
  const form = useForm<LicenseValues>({
    name: 'license:new',
    initial: { product: '', expiresOn: null },
    save: ({ product, expiresOn }, _changes, options) =>
      call(licensesCreate, { product, expiresAt: expiresOn === null ? null : endOf(expiresOn) }, options),
    onSaved: () => {
      void queries.invalidateQueries({ queryKey: ['licenses'] })
      void setAddress({ id: null })
    },
  })
  return (
    <FormPage
      title={d('license.new')}
      form={form}
      submitText={d('license.create')}
      fields={[
        { kind: 'text', name: 'product', label: d('license.product'), isRequired: true, maxLength: 120 },
        {
          kind: 'date',
          name: 'expiresOn',
          label: d('license.until'),
          hint: d('license.untilHint', { zone: zoneName() }),
        },
      ]}
    />
  )
}
