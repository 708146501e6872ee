import type { ComponentType } from 'react'
import { ModuleGate } from '../../office/module-gate.tsx'
import { useOfficeSearch } from '../../office/search-state.ts'
import { Tabs } from '../../office/tabs.tsx'
import { useOfficeTexts } from '../../texts/office/texts.ts'
import { usePaymentsTexts } from '../../texts/payments/texts.ts'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { LinkList } from './link-list.tsx'
import { Overview } from './overview.tsx'

const EntryDetail = lazyPart(() => import('./ledger-entry.tsx').then((file) => file.EntryDetail))
const LinkEditor = lazyPart(() => import('./link-editor.tsx').then((file) => file.LinkEditor))
const LedgerList = lazyPart(() => import('./ledger-list.tsx').then((file) => file.LedgerList))
const PlanEditor = lazyPart(() => import('./plan-editor.tsx').then((file) => file.PlanEditor))
const PlanList = lazyPart(() => import('./plan-list.tsx').then((file) => file.PlanList))
const ReceiptDetail = lazyPart(() => import('./receipt-detail.tsx').then((file) => file.ReceiptDetail))
const ReceiptList = lazyPart(() => import('./receipt-list.tsx').then((file) => file.ReceiptList))
const Reports = lazyPart(() => import('./reports.tsx').then((file) => file.Reports))
const SubscriptionEditor = lazyPart(() =>
  import('./subscription-editor.tsx').then((file) => file.SubscriptionEditor),
)
const SubscriptionList = lazyPart(() =>
  import('./subscription-list.tsx').then((file) => file.SubscriptionList),
)
const InvoiceDetail = lazyPart(() => import('./invoice-detail.tsx').then((file) => file.InvoiceDetail))
const InvoiceList = lazyPart(() => import('./invoice-list.tsx').then((file) => file.InvoiceList))
const CustomerEditor = lazyPart(() => import('./customer-form.tsx').then((file) => file.CustomerEditor))
const CustomerList = lazyPart(() => import('./customer-list.tsx').then((file) => file.CustomerList))
const PayoutEditor = lazyPart(() => import('./payout-editor.tsx').then((file) => file.PayoutEditor))
const PayoutList = lazyPart(() => import('./payout-list.tsx').then((file) => file.PayoutList))
const UnappliedList = lazyPart(() => import('./unapplied-list.tsx').then((file) => file.UnappliedList))

type Part = { List: ComponentType; Editor?: ComponentType<{ id: string }> }
const PARTS = {
  overview: { List: Overview },
  links: { List: LinkList, Editor: LinkEditor },
  receipts: { List: ReceiptList, Editor: ReceiptDetail },
  unapplied: { List: UnappliedList },
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
export const PaymentsPage = () => (
  <ModuleGate module="payment">
    <Parts />
  </ModuleGate>
)

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
