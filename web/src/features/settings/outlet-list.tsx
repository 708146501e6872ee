import { type Outlet, outletsList } from 'kasir-client'
import { Plus, Store } from 'lucide-react'
import { call } from '../../app/service.ts'
import type { Column } from '../../office/list/column.ts'
import { ListPage } from '../../office/list/list-page.tsx'
import { May } from '../../office/may.tsx'
import { formatPercent } from '../../office/percent.ts'
import { useOfficeSearch } from '../../office/search-state.ts'
import { StateMark } from '../../office/state-mark.tsx'
import { type OfficeTranslate, useOfficeTexts } from '../../texts/office/texts.ts'
import { Button } from '../../ui/button.tsx'

export function OutletList() {
  const t = useOfficeTexts()
  const [, setAddress] = useOfficeSearch()
  const create = (
    <May route="outlets.create">
      <Button look="primary" onClick={() => void setAddress({ id: 'new' })}>
        <Plus aria-hidden size={20} />
        {t('outlet.new')}
      </Button>
    </May>
  )
  return (
    <ListPage
      title={t('outlets')}
      columns={columnsIn(t)}
      idOf={({ id }) => id}
      open={({ id }) => ({ id })}
      source={{
        key: ['outlets', 'list'],
        read: async () => ({ rows: (await call(outletsList)).outlets, cursor: null }),
      }}
      actions={create}
      empty={{ icon: Store, title: t('report.noOutlet'), text: t('outlet.emptyText'), action: create }}
    />
  )
}

const columnsIn = (t: OfficeTranslate): readonly Column<Outlet>[] => [
  { key: 'name', title: t('outlet'), sortBy: ({ name }) => name, cell: ({ name }) => name },
  {
    key: 'tax',
    title: t('tax'),
    cell: ({ taxLabel, taxRateBps, taxInclusive }) =>
      taxRateBps === 0
        ? t('tax.NONE')
        : `${taxLabel} ${formatPercent(taxRateBps)}%${taxInclusive ? ` ${t('tax.included')}` : ''}`,
  },
  {
    key: 'service',
    title: t('service'),
    from: 'sm',
    isAmount: true,
    cell: ({ serviceChargeBps }) => (serviceChargeBps === 0 ? '–' : `${formatPercent(serviceChargeBps)}%`),
  },
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
]
