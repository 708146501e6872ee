import { useQuery, useQueryClient } from '@tanstack/react-query'
import {
  type Category,
  type CategoryCreate,
  categoriesCreate,
  categoriesDelete,
  categoriesList,
  categoriesUpdate,
} from 'kasir-client'
import { call } from '../../app/service.ts'
import { DeleteButton } from '../../office/delete-button.tsx'
import { FormPage } from '../../office/form/form-page.tsx'
import { useForm } from '../../office/form/use-form.ts'
import { useMay } from '../../office/may.tsx'
import { RecordState } from '../../office/record-state.tsx'
import { useOfficeSearch } from '../../office/search-state.ts'
import { useShop } from '../../offline/shop.ts'
import { useOfficeTexts } from '../../texts/office/texts.ts'

type CategoryForm = Required<Pick<CategoryCreate, 'name' | 'station' | 'isActive'>>

const read = async () => (await call(categoriesList)).categories
const toForm = ({ name, station, isActive }: Category): CategoryForm => ({ name, station, isActive })

export function CategoryEditor({ id }: { id: string }) {
  const categories = useQuery({ queryKey: ['categories'], queryFn: read })
  if (id === 'new') return <CategoryFormPage category={null} />
  const category = categories.data?.find((each) => each.id === id)
  return category ? <CategoryFormPage category={category} /> : <RecordState query={categories} />
}

function CategoryFormPage({ category }: { category: Category | null }) {
  const t = useOfficeTexts()
  const may = useMay()
  const queries = useQueryClient()
  const [, setAddress] = useOfficeSearch()
  const finish = () => {
    void queries.invalidateQueries({ queryKey: ['categories'] })
    void useShop.getState().refresh()
    void setAddress({ id: null })
  }
  const form = useForm<CategoryForm>({
    name: `category:${category?.id ?? 'new'}`,
    initial: category === null ? { name: '', station: null, isActive: true } : toForm(category),
    save: (values, changes, options) =>
      category === null
        ? call(categoriesCreate, values, options)
        : call(categoriesUpdate, { id: category.id, ...changes }, options),
    readAgain:
      category === null
        ? undefined
        : async () => toForm((await read()).find(({ id }) => id === category.id) ?? category),
    onSaved: finish,
  })
  return (
    <FormPage
      title={category?.name ?? t('category.new')}
      form={form}
      isReadOnly={!may(category === null ? 'categories.create' : 'categories.update')}
      fields={[
        { kind: 'text', name: 'name', label: t('product.category'), isRequired: true, maxLength: 80 },
        {
          kind: 'text',
          name: 'station',
          label: t('product.station'),
          hint: t('product.stationHint'),
          maxLength: 40,
        },
        { kind: 'switch', name: 'isActive', label: t('product.isActive') },
      ]}
      actions={
        category !== null && (
          <DeleteButton
            route="categories.delete"
            name={category.name}
            text={t('category.deleteText')}
            remove={() => call(categoriesDelete, { id: category.id })}
            onDone={finish}
            isDirty={form.isDirty}
          />
        )
      }
    />
  )
}
