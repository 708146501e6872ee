import { useQuery } from '@tanstack/react-query'
import { categoriesList, modifierGroupsList } from 'kasir-client'
import { call } from '../../app/service.ts'
import type { FieldSpec } from '../../office/form/field-spec.ts'
import type { FormState } from '../../office/form/use-form.ts'
import type { OfficeTranslate } from '../../texts/office/texts.ts'
import type { ProductForm } from './product-form-values.ts'

/** The fields of a product, with the categories and modifier groups of the workspace. */
export function useProductFields(
  t: OfficeTranslate,
  form: FormState<ProductForm>,
): readonly FieldSpec<ProductForm>[] {
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
