import { type PriceList, priceListsList } from 'kasir-client'
import { Plus, Tags } from 'lucide-react'
import { call } from '../../../app/service.ts'
import { conditionsText, stateOf } from '../../../office/conditions/conditions-text.ts'
import { useGroups } from '../../../office/conditions/use-groups.ts'
import type { Column } from '../../../office/list/column.ts'
import { ListPage } from '../../../office/list/list-page.tsx'
import { May } from '../../../office/may.tsx'
import { useOfficeSearch } from '../../../office/search-state.ts'
import { StateMark } from '../../../office/state-mark.tsx'
import { useOutletName } from '../../../office/use-outlet-options.ts'
import { serverNow } from '../../../offline/clock.ts'
import { useShop } from '../../../offline/shop.ts'
import { useOfficeTexts } from '../../../texts/office/texts.ts'
import { Button } from '../../../ui/button.tsx'
import { formatAmount } from '../../../ui/rupiah.ts'

const LOOKS = { now: 'good', later: 'warn', ended: 'muted', off: 'muted' } as const

/** The price lists in the order in which a sale tries them, with their conditions. */
export function PriceListList() {
  const t = useOfficeTexts()
  const [, setAddress] = useOfficeSearch()
  const create = (
    <May route="priceLists.create">
      <Button look="primary" onClick={() => void setAddress({ id: 'new' })}>
        <Plus aria-hidden size={20} />
        {t('priceList.new')}
      </Button>
    </May>
  )
  return (
    <ListPage
      title={t('priceLists')}
      columns={useColumns()}
      idOf={({ id }) => id}
      open={({ id }) => ({ id })}
      source={{
        key: ['priceLists', 'list'],
        read: async () => ({ rows: (await call(priceListsList)).priceLists, cursor: null }),
      }}
      actions={create}
      empty={{ icon: Tags, title: t('priceList.empty'), text: t('priceList.emptyText'), action: create }}
    >
      <p className="text-sm text-muted">{t('priceList.order')}</p>
    </ListPage>
  )
}

function useColumns(): readonly Column<PriceList>[] {
  const t = useOfficeTexts()
  const outlets = useShop((shop) => shop.outlets)
  const outlet = useOutletName()
  const groups = useGroups()
  const group = (id: string) => groups.find((each) => each.id === id)?.name ?? t('group.deleted')
  return [
    {
      key: 'name',
      title: t('priceList'),
      sortBy: ({ name }) => name,
      cell: (list) => (
        <span className="grid min-w-0 gap-0.5">
          {list.name}
          <span className="text-xs font-normal text-muted">
            {conditionsText(t, list, { outlet, group }).join(' · ')}
          </span>
        </span>
      ),
    },
    {
      key: 'priority',
      title: t('priceList.priority'),
      isAmount: true,
      from: 'sm',
      sortBy: ({ priority }) => priority,
      cell: ({ priority }) => formatAmount(priority),
    },
    {
      key: 'entries',
      title: t('priceList.entries'),
      isAmount: true,
      from: 'sm',
      cell: ({ entries }) => formatAmount(entries.length),
    },
    {
      key: 'state',
      title: t('state'),
      cell: (list) => {
        const state = stateOf(list, outlets, serverNow())
        return <StateMark look={LOOKS[state]}>{t(`priceList.${state}`)}</StateMark>
      },
    },
  ]
}
