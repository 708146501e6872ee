import { type ModifierGroup, modifierGroupsList } from 'kasir-client'
import { ListChecks, Plus } from 'lucide-react'
import { call } from '../../app/service.ts'
import type { Column } from '../../office/list/column.ts'
import { ListPage } from '../../office/list/list-page.tsx'
import { May } from '../../office/may.tsx'
import { useOfficeSearch } from '../../office/search-state.ts'
import { type OfficeTranslate, useOfficeTexts } from '../../texts/office/texts.ts'
import { Button } from '../../ui/button.tsx'

export function ModifierList() {
  const t = useOfficeTexts()
  const [, setAddress] = useOfficeSearch()
  const create = (
    <May route="modifierGroups.create">
      <Button look="primary" onClick={() => void setAddress({ id: 'new' })}>
        <Plus aria-hidden size={20} />
        {t('modifier.newGroup')}
      </Button>
    </May>
  )
  return (
    <ListPage
      title={t('modifiers')}
      columns={columnsIn(t)}
      idOf={({ id }) => id}
      open={({ id }) => ({ id })}
      source={{
        key: ['modifierGroups', 'list'],
        read: async () => ({ rows: (await call(modifierGroupsList)).groups, cursor: null }),
      }}
      actions={create}
      empty={{ icon: ListChecks, title: t('modifier.empty'), text: t('modifier.emptyText'), action: create }}
    />
  )
}

const columnsIn = (t: OfficeTranslate): readonly Column<ModifierGroup>[] => [
  { key: 'name', title: t('modifier.group'), sortBy: ({ name }) => name, cell: ({ name }) => name },
  {
    key: 'modifiers',
    title: t('modifiers'),
    from: 'sm',
    cell: ({ modifiers }) => modifiers.map(({ name }) => name).join(', ') || '–',
  },
  {
    key: 'choices',
    title: t('modifier.choices'),
    isAmount: true,
    cell: ({ minSelect, maxSelect }) => `${minSelect} – ${maxSelect ?? '∞'}`,
  },
  {
    key: 'count',
    title: t('area.products'),
    isAmount: true,
    sortBy: ({ productCount }) => productCount,
    cell: ({ productCount }) => productCount,
  },
]
