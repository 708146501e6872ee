import { useQueryClient } from '@tanstack/react-query'
import {
  type PriceList,
  priceListsCreate,
  priceListsDelete,
  priceListsGet,
  priceListsUpdate,
} from 'kasir-client'
import { call } from '../../../app/service.ts'
import { changedNames } from '../../../office/conditions/conditions-values.ts'
import { DeleteButton } from '../../../office/delete-button.tsx'
import { FormPage } from '../../../office/form/form-page.tsx'
import { useForm } from '../../../office/form/use-form.ts'
import { useRecord } from '../../../office/form/use-record.ts'
import { useMay } from '../../../office/may.tsx'
import { RecordState } from '../../../office/record-state.tsx'
import { useOfficeSearch } from '../../../office/search-state.ts'
import { useGoodsNames } from '../../../office/use-goods-names.ts'
import { useShop } from '../../../offline/shop.ts'
import { useOfficeTexts } from '../../../texts/office/texts.ts'
import { EntryRows } from './entry-rows.tsx'
import { NEW_PRICE_LIST, type PriceListForm, priceListBody, toPriceListForm } from './price-list-values.ts'
import { usePriceListFields } from './use-price-list-fields.ts'

const read = async (id: string) => (await call(priceListsGet, { id })).priceList

export function PriceListEditor({ id }: { id: string }) {
  const isNew = id === 'new'
  const record = useRecord(['priceList', id], () => read(id), !isNew)
  const isShopHere = useShop((shop) => shop.state !== 'empty')
  if (isNew) return <PriceListFormPage list={null} />
  // The names of goods are those of the catalogue on this device.
  if (!record.data || !isShopHere) return <RecordState query={record} isWaiting={!isShopHere} />
  return <PriceListFormPage list={record.data} />
}

function PriceListFormPage({ list }: { list: PriceList | null }) {
  const t = useOfficeTexts()
  const may = useMay()
  const queries = useQueryClient()
  const names = useGoodsNames()
  const [, setAddress] = useOfficeSearch()
  const finish = () => {
    void queries.invalidateQueries({ queryKey: ['priceLists'] })
    // The register on this device sells by the new prices.
    void useShop.getState().refresh()
    void setAddress({ id: null })
  }
  const form = useForm<PriceListForm>({
    name: `priceList:${list?.id ?? 'new'}`,
    initial: list === null ? NEW_PRICE_LIST : toPriceListForm(list, names),
    save: (values, changes, options) => {
      const body = priceListBody(values)
      if (list === null) return call(priceListsCreate, body, options)
      const names = changedNames(changes)
      const changed = Object.entries(body).filter(([key]) => names.has(key))
      return call(priceListsUpdate, { ...Object.fromEntries(changed), id: list.id }, options)
    },
    readAgain: list === null ? undefined : async () => toPriceListForm(await read(list.id), names),
    onSaved: finish,
  })
  const isReadOnly = !may(list === null ? 'priceLists.create' : 'priceLists.update')
  return (
    <FormPage
      title={list?.name ?? t('priceList.new')}
      form={form}
      isReadOnly={isReadOnly}
      fields={usePriceListFields(form.values.outletIds)}
      actions={
        list !== null && (
          <DeleteButton
            route="priceLists.delete"
            name={list.name}
            text={t('priceList.deleteText')}
            remove={() => call(priceListsDelete, { id: list.id })}
            onDone={finish}
            isDirty={form.isDirty}
          />
        )
      }
    >
      <fieldset disabled={isReadOnly || form.isBusy}>
        <legend className="sr-only">{t('priceList.entries')}</legend>
        <EntryRows form={form} />
      </fieldset>
    </FormPage>
  )
}
