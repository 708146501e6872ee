import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { modulesList } from 'kasir-client'
import { PlugZap } from 'lucide-react'
import type { ComponentType } from 'react'
import { call } from '../../app/service.ts'
import { RecordState } from '../../office/record-state.tsx'
import { useOfficeSearch } from '../../office/search-state.ts'
import { Tabs } from '../../office/tabs.tsx'
import { useOfficeTexts } from '../../texts/office/texts.ts'
import { usePaymentsTexts } from '../../texts/payments/texts.ts'
import { Empty } from '../../ui/empty.tsx'
import { CustomerEditor } from './customer-form.tsx'
import { CustomerList } from './customer-list.tsx'
import { InvoiceDetail } from './invoice-detail.tsx'
import { InvoiceList } from './invoice-list.tsx'
import { EntryDetail } from './ledger-entry.tsx'
import { LedgerList } from './ledger-list.tsx'
import { LinkEditor } from './link-editor.tsx'
import { LinkList } from './link-list.tsx'
import { Overview } from './overview.tsx'
import { PayoutEditor } from './payout-editor.tsx'
import { PayoutList } from './payout-list.tsx'
import { PlanEditor } from './plan-editor.tsx'
import { PlanList } from './plan-list.tsx'
import { ReceiptDetail } from './receipt-detail.tsx'
import { ReceiptList } from './receipt-list.tsx'
import { Reports } from './reports.tsx'
import { SubscriptionEditor } from './subscription-editor.tsx'
import { SubscriptionList } from './subscription-list.tsx'

type Part = { List: ComponentType; Editor?: ComponentType<{ id: string }> }
const PARTS = {
  overview: { List: Overview },
  links: { List: LinkList, Editor: LinkEditor },
  receipts: { List: ReceiptList, Editor: ReceiptDetail },
  payouts: { List: PayoutList, Editor: PayoutEditor },
  ledger: { List: LedgerList, Editor: EntryDetail },
  reports: { List: Reports },
  subscriptions: { List: SubscriptionList, Editor: SubscriptionEditor },
  plans: { List: PlanList, Editor: PlanEditor },
  customers: { List: CustomerList, Editor: CustomerEditor },
  invoices: { List: InvoiceList, Editor: InvoiceDetail },
} as const satisfies Record<string, Part>
const KEYS = Object.keys(PARTS) as (keyof typeof PARTS)[]

/** Money that customers pay through the payment partner: links, receipts, payouts, books, subscriptions. */
export function PaymentsPage() {
  const modules = useQuery({
    queryKey: ['modules'],
    queryFn: async () => (await call(modulesList)).modules,
  })
  if (!modules.data) return <RecordState query={modules} />
  const isOn = modules.data.some(({ module, enabled }) => module === 'payment' && enabled)
  return isOn ? <Parts /> : <ModuleOff />
}

function ModuleOff() {
  const t = usePaymentsTexts()
  return (
    <Empty as="h1" icon={PlugZap} title={t('off')} text={t('off.text')}>
      <Link to="/pengaturan" search={{ tab: 'modules' }} className="mt-2 font-semibold text-brand underline">
        {t('off.settings')}
      </Link>
    </Empty>
  )
}

function Parts() {
  const o = useOfficeTexts()
  const t = usePaymentsTexts()
  const [{ tab = 'overview', id }] = useOfficeSearch()
  const part: Part | undefined = PARTS[tab as keyof typeof PARTS]
  if (id !== undefined && part?.Editor) return <part.Editor key={id} id={id} />
  return (
    <>
      <Tabs label={o('area.payments')} tabs={KEYS.map((key) => ({ key, text: t(`tab.${key}`) }))} />
      {part && <part.List />}
    </>
  )
}
