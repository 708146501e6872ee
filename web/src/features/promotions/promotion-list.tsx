import { type Promotion, promotionsList } from 'kasir-client'
import { BadgePercent, Plus } from 'lucide-react'
import { call } from '../../app/service.ts'
import { conditionsText, stateOf } from '../../office/conditions/conditions-text.ts'
import { useGroups } from '../../office/conditions/use-groups.ts'
import type { Column } from '../../office/list/column.ts'
import { ListPage } from '../../office/list/list-page.tsx'
import { May } from '../../office/may.tsx'
import { useOfficeSearch } from '../../office/search-state.ts'
import { StateMark } from '../../office/state-mark.tsx'
import { useGoodsNames } from '../../office/use-goods-names.ts'
import { useOutletName } from '../../office/use-outlet-options.ts'
import { serverNow } from '../../offline/clock.ts'
import { useShop } from '../../offline/shop.ts'
import { useOfficeTexts } from '../../texts/office/texts.ts'
import { Button } from '../../ui/button.tsx'
import { formatAmount } from '../../ui/rupiah.ts'
import { promotionText } from './promotion-text.ts'

const LOOKS = { now: 'good', later: 'warn', ended: 'muted', off: 'muted' } as const

/** The promotions with their discount, code and conditions. */
export function PromotionList() {
  const t = useOfficeTexts()
  const [, setAddress] = useOfficeSearch()
  const create = (
    <May route="promotions.create">
      <Button look="primary" onClick={() => void setAddress({ id: 'new' })}>
        <Plus aria-hidden size={20} />
        {t('promotion.new')}
      </Button>
    </May>
  )
  return (
    <ListPage
      title={t('promotions')}
      columns={useColumns()}
      idOf={({ id }) => id}
      open={({ id }) => ({ id })}
      source={{
        key: ['promotions', 'list'],
        read: async () => ({ rows: (await call(promotionsList)).promotions, cursor: null }),
      }}
      actions={create}
      empty={{
        icon: BadgePercent,
        title: t('promotion.empty'),
        text: t('promotion.emptyText'),
        action: create,
      }}
    />
  )
}

function useColumns(): readonly Column<Promotion>[] {
  const t = useOfficeTexts()
  const outlets = useShop((shop) => shop.outlets)
  const outlet = useOutletName()
  const names = useGoodsNames()
  const groups = useGroups()
  const group = (id: string) => groups.find((each) => each.id === id)?.name ?? t('group.deleted')
  return [
    {
      key: 'name',
      title: t('promotion'),
      sortBy: ({ name }) => name,
      cell: (promotion) => (
        <span className="grid min-w-0 gap-0.5">
          {promotion.name}
          <span className="text-xs font-normal text-muted">
            {[promotionText(t, promotion, names), ...conditionsText(t, promotion, { outlet, group })].join(
              ' · ',
            )}
          </span>
        </span>
      ),
    },
    {
      key: 'code',
      title: t('promotion.code'),
      from: 'sm',
      sortBy: ({ code }) => code ?? '',
      cell: ({ code }) => code ?? '',
    },
    {
      key: 'used',
      title: t('promotion.used'),
      isAmount: true,
      from: 'sm',
      cell: ({ code, usedCount, usageLimit }) =>
        code === null
          ? ''
          : [usedCount, ...(usageLimit === null ? [] : [usageLimit])].map(formatAmount).join(' / '),
    },
    {
      key: 'state',
      title: t('state'),
      cell: (promotion) => {
        const state = stateOf(promotion, outlets, serverNow())
        return <StateMark look={LOOKS[state]}>{t(`priceList.${state}`)}</StateMark>
      },
    },
  ]
}
