import { useOfficeSearch } from '../../office/search-state.ts'
import { Tabs } from '../../office/tabs.tsx'
import { useOfficeTexts } from '../../texts/office/texts.ts'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { CategoryList } from './category-list.tsx'
import { ProductList } from './product-list.tsx'

// Editors, and tabs that few people open, are loaded when they are opened.
const CategoryEditor = lazyPart(() => import('./category-form.tsx').then((file) => file.CategoryEditor))
const ProductEditor = lazyPart(() => import('./product-form.tsx').then((file) => file.ProductEditor))
const ImportPage = lazyPart(() => import('./csv/import-page.tsx').then((file) => file.ImportPage))
const ModifierEditor = lazyPart(() => import('./modifier-form.tsx').then((file) => file.ModifierEditor))
const ModifierList = lazyPart(() => import('./modifier-list.tsx').then((file) => file.ModifierList))
const PriceListEditor = lazyPart(() =>
  import('./prices/price-list-form.tsx').then((file) => file.PriceListEditor),
)
const PriceListList = lazyPart(() =>
  import('./prices/price-list-list.tsx').then((file) => file.PriceListList),
)

/** Products, categories, modifiers and price lists: a list each, and the editor of the record that the address names. */
export function ProductsPage() {
  const t = useOfficeTexts()
  const [address] = useOfficeSearch()
  const { tab = 'products', id } = address
  if (id !== undefined) {
    if (tab === 'categories') return <CategoryEditor key={id} id={id} />
    if (tab === 'modifiers') return <ModifierEditor key={id} id={id} />
    if (tab === 'prices') return <PriceListEditor key={id} id={id} />
    return <ProductEditor key={id} id={id} />
  }
  return (
    <>
      <Tabs
        label={t('area.products')}
        tabs={[
          { key: 'products', text: t('area.products') },
          { key: 'categories', text: t('categories') },
          { key: 'modifiers', text: t('modifiers') },
          { key: 'prices', text: t('priceLists') },
          { key: 'import', text: t('import.tab') },
        ]}
      />
      {tab === 'products' && <ProductList />}
      {tab === 'categories' && <CategoryList />}
      {tab === 'modifiers' && <ModifierList />}
      {tab === 'prices' && <PriceListList />}
      {tab === 'import' && <ImportPage />}
    </>
  )
}
