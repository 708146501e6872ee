import { useQuery, useQueryClient } from '@tanstack/react-query'
import { categoriesList, stockCountsCreate } from 'kasir-client'
import { call } from '../../../app/service.ts'
import { FormPage } from '../../../office/form/form-page.tsx'
import { useForm } from '../../../office/form/use-form.ts'
import { useOfficeSearch } from '../../../office/search-state.ts'
import { useOutletOptions } from '../../../office/use-outlet-options.ts'
import { WithOutlet } from '../../../office/with-outlet.tsx'
import { useOfficeTexts } from '../../../texts/office/texts.ts'

type StartForm = { outletId: string; categoryIds: readonly string[]; blind: boolean }

/** Begins a count of an outlet: of all goods, or of some categories. */
export function CountStart() {
  return <WithOutlet>{({ id }) => <StartPage outletId={id} />}</WithOutlet>
}

function StartPage({ outletId }: { outletId: string }) {
  const t = useOfficeTexts()
  const queries = useQueryClient()
  const outlets = useOutletOptions()
  const [, setAddress] = useOfficeSearch()
  const categories = useQuery({
    queryKey: ['categories'],
    queryFn: async () => (await call(categoriesList)).categories,
  })
  const form = useForm<StartForm>({
    name: 'stockCount:new',
    initial: { outletId, categoryIds: [], blind: false },
    save: async (values, _changes, options) => {
      const { stockCount } = await call(
        stockCountsCreate,
        {
          outletId: values.outletId,
          categoryIds: values.categoryIds.length === 0 ? null : [...values.categoryIds],
          blind: values.blind,
        },
        options,
      )
      void setAddress({ id: stockCount.id }, true)
    },
    onSaved: () => void queries.invalidateQueries({ queryKey: ['stockCounts'] }),
  })
  return (
    <FormPage
      title={t('count.new')}
      form={form}
      submitText={t('count.begin')}
      fields={[
        {
          kind: 'choice',
          name: 'outletId',
          label: t('outlet'),
          isRequired: true,
          options: outlets,
          isWide: true,
        },
        {
          kind: 'many',
          name: 'categoryIds',
          label: t('categories'),
          hint: t('priceList.noneIsAll'),
          options: (categories.data ?? []).map(({ id, name }) => ({ value: id, text: name })),
          isWide: true,
          isShown: () => (categories.data ?? []).length > 0,
        },
        { kind: 'switch', name: 'blind', label: t('count.blind'), hint: t('count.blindHint'), isWide: true },
      ]}
    />
  )
}
