import { useQuery } from '@tanstack/react-query'
import { categoriesList, productsList } from 'kasir-client'
import { Download, Package, Plus } from 'lucide-react'
import { useState } from 'react'
import { call } from '../../app/service.ts'
import { callPage, PAGE_ROWS } from '../../office/call-page.ts'
import { LabelButton } from '../../office/labels/label-button.tsx'
import { ListPage } from '../../office/list/list-page.tsx'
import { May } from '../../office/may.tsx'
import { useOfficeSearch } from '../../office/search-state.ts'
import { useOfficeTexts } from '../../texts/office/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/failure.tsx'
import { lazyModule } from '../../ui/lazy-module.ts'
import { productColumns } from './product-columns.tsx'

const loadExport = lazyModule(() => import('./csv/export.ts'))

export function ProductList() {
  const t = useOfficeTexts()
  const [address, setAddress] = useOfficeSearch()
  const { q, category, state = 'active' } = address
  const categories = useQuery({
    queryKey: ['categories'],
    queryFn: async () => (await call(categoriesList)).categories,
  })
  const create = (
    <May route="products.create">
      <Button look="primary" onClick={() => void setAddress({ id: 'new' })}>
        <Plus aria-hidden size={20} />
        {t('products.new')}
      </Button>
    </May>
  )
  return (
    <ListPage
      title={t('area.products')}
      columns={productColumns(t)}
      idOf={({ id }) => id}
      open={({ id }) => ({ id })}
      source={{
        key: ['products', q, category, state],
        read: (cursor) =>
          callPage(
            productsList,
            {
              limit: PAGE_ROWS,
              ...(cursor !== null && { cursor }),
              ...(q && { q }),
              ...(category && { categoryId: category }),
              ...(state !== 'all' && { active: state === 'active' ? 'true' : 'false' }),
            },
            ({ products }) => products,
          ),
      }}
      search={{ label: t('products.find') }}
      filters={[
        {
          key: 'category',
          label: t('product.category'),
          options: (categories.data ?? []).map(({ id, name }) => ({ value: id, text: name })),
        },
        {
          key: 'state',
          label: t('state'),
          initial: 'active',
          options: [
            { value: 'active', text: t('state.active') },
            { value: 'inactive', text: t('state.inactive') },
            { value: 'all', text: t('list.all') },
          ],
        },
      ]}
      actions={
        <>
          <LabelButton
            source={{ kind: 'goods', categoryId: category ?? null, categories: categories.data ?? [] }}
          />
          <ExportButton />
          {create}
        </>
      }
      empty={{ icon: Package, title: t('products.empty'), text: t('products.emptyText'), action: create }}
    />
  )
}

function ExportButton() {
  const t = useOfficeTexts()
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const save = async () => {
    setBusy(true)
    setError(null)
    await loadExport()
      .then(({ exportCatalogue }) => exportCatalogue())
      .catch(setError)
    setBusy(false)
  }
  return (
    <>
      <Failure error={error} />
      <Button disabled={isBusy} onClick={() => void save()}>
        <Download aria-hidden size={20} />
        {t('csv.save')}
      </Button>
    </>
  )
}
