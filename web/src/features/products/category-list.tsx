import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type Category, categoriesList, categoriesReorder } from 'kasir-client'
import { ArrowDown, ArrowUp, Plus, Tags } from 'lucide-react'
import { call } from '../../app/service.ts'
import type { Column } from '../../office/list/column.ts'
import { ListPage } from '../../office/list/list-page.tsx'
import { May } from '../../office/may.tsx'
import { useOfficeSearch } from '../../office/search-state.ts'
import { StateMark } from '../../office/state-mark.tsx'
import { useOfficeTexts } from '../../texts/office/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/failure.tsx'

const read = async () => (await call(categoriesList)).categories

export function CategoryList() {
  const t = useOfficeTexts()
  const [, setAddress] = useOfficeSearch()
  const create = (
    <May route="categories.create">
      <Button look="primary" onClick={() => void setAddress({ id: 'new' })}>
        <Plus aria-hidden size={20} />
        {t('category.new')}
      </Button>
    </May>
  )
  return (
    <ListPage
      title={t('categories')}
      columns={useColumns()}
      idOf={({ id }) => id}
      open={({ id }) => ({ id })}
      source={{ key: ['categories', 'list'], read: async () => ({ rows: await read(), cursor: null }) }}
      actions={create}
      empty={{ icon: Tags, title: t('category.empty'), text: t('category.emptyText'), action: create }}
    />
  )
}

function useColumns(): readonly Column<Category>[] {
  const t = useOfficeTexts()
  return [
    { key: 'name', title: t('product.category'), cell: ({ name }) => name },
    {
      key: 'count',
      title: t('area.products'),
      isAmount: true,
      cell: ({ productCount }) => productCount,
    },
    { key: 'station', title: t('product.station'), from: 'sm', cell: ({ station }) => station ?? '–' },
    {
      key: 'state',
      title: t('state'),
      from: 'sm',
      cell: ({ isActive }) => (
        <StateMark look={isActive ? 'good' : 'muted'}>
          {t(isActive ? 'state.active' : 'state.inactive')}
        </StateMark>
      ),
    },
    { key: 'order', title: t('category.order'), cell: (category) => <OrderButtons category={category} /> },
  ]
}

/** Moves a category one place up or down; the register shows them in this order. */
function OrderButtons({ category }: { category: Category }) {
  const t = useOfficeTexts()
  const queries = useQueryClient()
  const { data: all = [] } = useQuery({ queryKey: ['categories'], queryFn: read })
  const at = all.findIndex(({ id }) => id === category.id)
  const move = useMutation({
    mutationFn: (by: 1 | -1) => {
      const ids = all.map(({ id }) => id)
      ids.splice(at, 1)
      ids.splice(at + by, 0, category.id)
      return call(categoriesReorder, { ids })
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['categories'] }),
  })
  return (
    <May route="categories.reorder">
      <span className="relative z-1 flex justify-end gap-1">
        {([-1, 1] as const).map((by) => (
          <button
            key={by}
            type="button"
            aria-label={t(by < 0 ? 'category.up' : 'category.down', { name: category.name })}
            disabled={move.isPending || at === -1 || all[at + by] === undefined}
            className="grid size-11 place-items-center rounded-lg hover:bg-line/60 disabled:opacity-30"
            onClick={() => move.mutate(by)}
          >
            {by < 0 ? <ArrowUp aria-hidden size={18} /> : <ArrowDown aria-hidden size={18} />}
          </button>
        ))}
      </span>
      <Failure error={move.error} />
    </May>
  )
}
