import { useQueryClient } from '@tanstack/react-query'
import {
  type Promotion,
  promotionsCreate,
  promotionsDelete,
  promotionsGet,
  promotionsUpdate,
} from 'kasir-client'
import { call } from '../../app/service.ts'
import { changedNames } from '../../office/conditions/conditions-values.ts'
import { DeleteButton } from '../../office/delete-button.tsx'
import { FormPage } from '../../office/form/form-page.tsx'
import { useForm } from '../../office/form/use-form.ts'
import { useRecord } from '../../office/form/use-record.ts'
import { useMay } from '../../office/may.tsx'
import { RecordState } from '../../office/record-state.tsx'
import { useOfficeSearch } from '../../office/search-state.ts'
import { useGoodsNames } from '../../office/use-goods-names.ts'
import { useShop } from '../../offline/shop.ts'
import { useOfficeTexts } from '../../texts/office/texts.ts'
import { GoodsRows } from './goods-rows.tsx'
import { NEW_PROMOTION, type PromotionForm, promotionBody, toPromotionForm } from './promotion-values.ts'
import { usePromotionFields } from './use-promotion-fields.ts'

const read = async (id: string) => (await call(promotionsGet, { id })).promotion

export function PromotionEditor({ id }: { id: string }) {
  const isNew = id === 'new'
  const record = useRecord(['promotion', id], () => read(id), !isNew)
  const isShopHere = useShop((shop) => shop.state !== 'empty')
  if (isNew) return <PromotionFormPage promotion={null} />
  // The names of goods are those of the catalogue on this device.
  if (!record.data || !isShopHere) return <RecordState query={record} isWaiting={!isShopHere} />
  return <PromotionFormPage promotion={record.data} />
}

/** The fields that a save sends: a change of the goods is sent in the field that lists them. */
function changedBody(values: PromotionForm, changes: Partial<PromotionForm>) {
  const changed = changedNames(changes)
  if (changed.has('goods')) for (const field of ['bundle', 'variantIds', 'categoryIds']) changed.add(field)
  if (changed.has('code')) changed.add('usageLimit')
  return Object.fromEntries(Object.entries(promotionBody(values)).filter(([key]) => changed.has(key)))
}

function PromotionFormPage({ promotion }: { promotion: Promotion | null }) {
  const t = useOfficeTexts()
  const may = useMay()
  const queries = useQueryClient()
  const names = useGoodsNames()
  const [, setAddress] = useOfficeSearch()
  const finish = () => {
    void queries.invalidateQueries({ queryKey: ['promotions'] })
    // The register on this device sells by the new promotions.
    void useShop.getState().refresh()
    void setAddress({ id: null })
  }
  const form = useForm<PromotionForm>({
    name: `promotion:${promotion?.id ?? 'new'}`,
    initial: promotion === null ? NEW_PROMOTION : toPromotionForm(promotion, names),
    save: (values, changes, options) =>
      promotion === null
        ? call(
            promotionsCreate,
            { ...promotionBody(values), kind: values.kind as Promotion['kind'] },
            options,
          )
        : call(promotionsUpdate, { ...changedBody(values, changes), id: promotion.id }, options),
    readAgain: promotion === null ? undefined : async () => toPromotionForm(await read(promotion.id), names),
    onSaved: finish,
  })
  const isReadOnly = !may(promotion === null ? 'promotions.create' : 'promotions.update')
  return (
    <FormPage
      title={promotion?.name ?? t('promotion.new')}
      form={form}
      isReadOnly={isReadOnly}
      fields={usePromotionFields(promotion === null, form.values.outletIds)}
      actions={
        promotion !== null && (
          <DeleteButton
            route="promotions.delete"
            name={promotion.name}
            text={t('promotion.deleteText')}
            remove={() => call(promotionsDelete, { id: promotion.id })}
            onDone={finish}
            isDirty={form.isDirty}
          />
        )
      }
    >
      <fieldset disabled={isReadOnly || form.isBusy}>
        <legend className="sr-only">{t('promotion.goods')}</legend>
        <GoodsRows form={form} />
      </fieldset>
    </FormPage>
  )
}
