import { useQueryClient } from '@tanstack/react-query'
import {
  type Product,
  productsCreate,
  productsDelete,
  productsGet,
  productsSetModifierGroups,
  productsUpdate,
} from 'kasir-client'
import { call } from '../../app/service.ts'
import { DeleteButton } from '../../office/delete-button.tsx'
import { FormPage } from '../../office/form/form-page.tsx'
import { type FormRequest, useForm } from '../../office/form/use-form.ts'
import { useRecord } from '../../office/form/use-record.ts'
import { useMay } from '../../office/may.tsx'
import { PhotoField } from '../../office/photo-field.tsx'
import { RecordState } from '../../office/record-state.tsx'
import { useOfficeSearch } from '../../office/search-state.ts'
import { useShop } from '../../offline/shop.ts'
import { useOfficeTexts } from '../../texts/office/texts.ts'
import {
  createBody,
  excessOf,
  NEW_PRODUCT,
  type ProductForm,
  takenCodeParam,
  toProductForm,
  updateBody,
} from './product-form-values.ts'
import { RecipeList } from './recipe-list.tsx'
import { useProductFields } from './use-product-fields.ts'
import { VariantRows } from './variant-rows.tsx'

const read = async (id: string) => (await call(productsGet, { id })).product

export function ProductEditor({ id }: { id: string }) {
  const isNew = id === 'new'
  const record = useRecord(['product', id], () => read(id), !isNew)
  if (isNew) return <ProductFormPage product={null} />
  return record.data ? <ProductFormPage product={record.data} /> : <RecordState query={record} />
}

const saveOf =
  (product: Product | null): FormRequest<ProductForm>['save'] =>
  async (values, changes, options, progress) => {
    // A second try after the product was created continues with the rest.
    let id = product?.id ?? progress.done['created']
    if (id === undefined) {
      id = (await call(productsCreate, createBody(values), options)).product.id
      progress.complete('created', id)
    } else {
      const body = updateBody(product === null ? values : changes)
      // The key is that of the creation; an update needs none, because it sets the same values again.
      if (Object.keys(body).length > 0) await call(productsUpdate, { ...body, id })
    }
    if (changes.modifierGroupIds !== undefined)
      await call(productsSetModifierGroups, { productId: id, groupIds: changes.modifierGroupIds })
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
  const initial = product === null ? NEW_PRODUCT : toProductForm(product)
  const form = useForm<ProductForm>({
    name: `product:${product?.id ?? 'new'}`,
    initial,
    save: saveOf(product),
    readAgain: product === null ? undefined : async () => toProductForm(await read(product.id)),
    paramOf: takenCodeParam,
    onSaved: finish,
  })
  const excess = excessOf(initial, form.values)
  const isReadOnly = !may(product === null ? 'products.create' : 'products.update')
  return (
    <FormPage
      title={product?.name ?? t('products.new')}
      form={form}
      fields={useProductFields(t, form)}
      partLabels={{ variants: t('product.variants'), imageUrl: t('product.photo') }}
      isReadOnly={isReadOnly}
      isRefused={excess > 0}
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
        <VariantRows form={form} excess={excess} />
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
