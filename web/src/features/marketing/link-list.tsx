import { type ReferralLink, referralsListLinks } from 'kasir-client'
import { Copy, Link2 } from 'lucide-react'
import { callPage, PAGE_ROWS } from '../../office/call-page.ts'
import type { Column } from '../../office/list/column.ts'
import { ListPage } from '../../office/list/list-page.tsx'
import { ModuleFailure } from '../../office/module-gate.tsx'
import { type MarketingTranslate, useMarketingTexts } from '../../texts/marketing/texts.ts'
import { Button } from '../../ui/button.tsx'
import { copyText } from '../../ui/copy-text.ts'
import { formatAmount } from '../../ui/rupiah.ts'
import { useCustomerNames } from './use-customer-names.ts'

/** The links that customers share with friends. */
export function LinkList() {
  const m = useMarketingTexts()
  const nameOf = useCustomerNames()
  return (
    <ListPage
      title={m('links')}
      columns={columnsIn(m, nameOf)}
      idOf={({ id }) => id}
      source={{
        key: ['referralLinks'],
        read: (cursor) =>
          callPage(
            referralsListLinks,
            { limit: PAGE_ROWS, ...(cursor !== null && { cursor }) },
            ({ links }) => links,
          ),
      }}
      ErrorView={ModuleFailure}
      empty={{ icon: Link2, title: m('link.empty'), text: m('link.emptyText') }}
    />
  )
}

const columnsIn = (
  m: MarketingTranslate,
  nameOf: (id: string) => string,
): readonly Column<ReferralLink>[] => [
  {
    key: 'customer',
    title: m('link.customer'),
    cell: ({ customerId, code }) => (
      <span className="grid min-w-0">
        <span>{nameOf(customerId)}</span>
        <code className="text-xs font-normal text-muted">{code}</code>
      </span>
    ),
  },
  {
    key: 'clicks',
    title: m('stat.clicks'),
    isAmount: true,
    sortBy: ({ clicks }) => clicks,
    cell: ({ clicks }) => formatAmount(clicks),
  },
  {
    key: 'conversions',
    title: m('stat.conversions'),
    isAmount: true,
    sortBy: ({ conversions }) => conversions,
    cell: ({ conversions }) => formatAmount(conversions),
  },
  {
    key: 'copy',
    title: m('link.code'),
    cell: ({ code, url }) => (
      <Button
        look="quiet"
        size="icon"
        aria-label={m('link.copy', { code })}
        onClick={() => void copyText(url)}
      >
        <Copy aria-hidden size={18} />
      </Button>
    ),
  },
]
