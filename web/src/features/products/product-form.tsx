import { useQuery, useQueryClient } from '@tanstack/react-query'
import {
  categoriesList,
  modifierGroupsList,
  type Product,
  productsCreate,
  productsDelete,
  productsGet,
  productsSetModifierGroups,
  productsUpdate,
} from 'kasir-client'
import { useRef } from 'react'
import { call } from '../../app/service.ts'
import { DeleteButton } from '../../office/delete-button.tsx'
import type { FieldSpec } from '../../office/form/field-spec.ts'
import { FormPage } from '../../office/form/form-page.tsx'
import { type FormState, type SaveOptions, useForm } from '../../office/form/use-form.ts'
import { useRecord } from '../../office/form/use-record.ts'
import { useMay } from '../../office/may.tsx'
import { PhotoField } from '../../office/photo-field.tsx'
import { RecordState } from '../../office/record-state.tsx'
import { useOfficeSearch } from '../../office/search-state.ts'
import { useShop } from '../../offline/shop.ts'
import { type OfficeTranslate, useOfficeTexts } from '../../texts/office/texts.ts'
import {
  createBody,
  NEW_PRODUCT,
  type ProductForm,
  toProductForm,
  updateBody,
} from './product-form-values.ts'
import { RecipeList } from './recipe-list.tsx'
import { VariantRows } from './variant-rows.tsx'

const read = async (id: string) => (await call(productsGet, { id })).product

export function ProductEditor({ id }: { id: string }) {
  const isNew = id === 'new'
  const record = useRecord(['product', id], () => read(id), !isNew)
  if (isNew) return <ProductFormPage product={null} />
  return record.data ? <ProductFormPage product={record.data} /> : <RecordState query={record} />
}

function useSave(product: Product | null) {
  // A second try after the product was created continues with the rest.
  const createdId = useRef<string | null>(null)
  return async (values: ProductForm, changes: Partial<ProductForm>, options: SaveOptions) => {
    const id = product?.id ?? createdId.current
    let saved = id
    if (id === null) saved = (await call(productsCreate, createBody(values), options)).product.id
    else {
      const body = updateBody(product === null ? values : changes)
      if (Object.keys(body).length > 0) await call(productsUpdate, { ...body, id }, options)
    }
    createdId.current = saved
    if (saved !== null && changes.modifierGroupIds !== undefined)
      await call(productsSetModifierGroups, { productId: saved, groupIds: changes.modifierGroupIds })
  }
}

function ProductFormPage({ product }: { product: Product | null }) {
  const t = useOfficeTexts()
  const may = useMay()
  const queries = useQueryClient()
  const [, setAddress] = useOfficeSearch()
  const finish = () => {
    void queries.invalidateQueries({ queryKey: ['products'] })
    // The register on this device sells by the new price.
    void useShop.getState().refresh()
    void setAddress({ id: null })
  }
  const form = useForm<ProductForm>({
    name: `product:${product?.id ?? 'new'}`,
    initial: product === null ? NEW_PRODUCT : toProductForm(product),
    save: useSave(product),
    readAgain: product === null ? undefined : async () => toProductForm(await read(product.id)),
    paramOf: takenCodeParam,
    onSaved: finish,
  })
  const isReadOnly = !may(product === null ? 'products.create' : 'products.update')
  return (
    <FormPage
      title={product?.name ?? t('products.new')}
      form={form}
      fields={useFields(t, form)}
      isReadOnly={isReadOnly}
      actions={
        product !== null && (
          <DeleteButton
            route="products.delete"
            name={product.name}
            text={t('product.deleteText')}
            remove={() => call(productsDelete, { id: product.id })}
            onDone={finish}
            isDirty={form.isDirty}
          />
        )
      }
    >
      <fieldset disabled={isReadOnly || form.isBusy} className="space-y-6">
        <legend className="sr-only">{t('product.variants')}</legend>
        <VariantRows form={form} />
        <PhotoField
          label={t('product.photo')}
          url={form.values.imageUrl}
          onUrl={(imageUrl) => form.set({ imageUrl })}
        />
      </fieldset>
      {product !== null && <RecipeList product={product} />}
    </FormPage>
  )
}

function useFields(t: OfficeTranslate, form: FormState<ProductForm>): readonly FieldSpec<ProductForm>[] {
  const categories = useQuery({
    queryKey: ['categories'],
    queryFn: async () => (await call(categoriesList)).categories,
  })
  const groups = useQuery({
    queryKey: ['modifierGroups'],
    queryFn: async () => (await call(modifierGroupsList)).groups,
  })
  const isGoods = () => form.values.kind === 'GOODS'
  const options = (rows: readonly { id: string; name: string }[] = []) =>
    rows.map(({ id, name }) => ({ value: id, text: name }))
  return [
    { kind: 'text', name: 'name', label: t('product.name'), isRequired: true, maxLength: 160, isWide: true },
    {
      kind: 'choice',
      name: 'categoryId',
      label: t('product.category'),
      options: options(categories.data),
      none: t('product.noCategory'),
    },
    {
      kind: 'choice',
      name: 'kind',
      label: t('product.kind'),
      isRequired: true,
      options: [
        { value: 'GOODS', text: t('product.goods') },
        { value: 'SERVICE', text: t('product.service') },
      ],
    },
    { kind: 'percent', name: 'taxRateBps', label: t('product.tax'), hint: t('product.taxHint') },
    {
      kind: 'text',
      name: 'station',
      label: t('product.station'),
      hint: t('product.stationHint'),
      maxLength: 40,
    },
    { kind: 'switch', name: 'trackStock', label: t('product.trackStock'), isShown: isGoods },
    { kind: 'switch', name: 'requiresBatch', label: t('product.requiresBatch'), isShown: isGoods },
    { kind: 'switch', name: 'isActive', label: t('product.isActive') },
    {
      kind: 'many',
      name: 'modifierGroupIds',
      label: t('modifiers'),
      options: options(groups.data),
      isWide: true,
      isShown: () => (groups.data ?? []).length > 0,
    },
    { kind: 'area', name: 'description', label: t('product.description'), maxLength: 2_000, isWide: true },
  ]
}
