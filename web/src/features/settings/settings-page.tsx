import { useMay } from '../../office/may.tsx'
import { useOfficeSearch } from '../../office/search-state.ts'
import { Tabs } from '../../office/tabs.tsx'
import { useOfficeTexts } from '../../texts/office/texts.ts'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { BusinessForm } from './business-form.tsx'
import { OutletEditor } from './outlet-form.tsx'
import { OutletList } from './outlet-list.tsx'

const ApprovalSettingsForm = lazyPart(() =>
  import('./approval-form.tsx').then((file) => file.ApprovalSettingsForm),
)
const JobList = lazyPart(() => import('./job-list.tsx').then((file) => file.JobList))
const PrinterEditor = lazyPart(() => import('./printer-form.tsx').then((file) => file.PrinterEditor))
const PrinterList = lazyPart(() => import('./printer-list.tsx').then((file) => file.PrinterList))
const ModuleList = lazyPart(() => import('./module-list.tsx').then((file) => file.ModuleList))
const PlanPage = lazyPart(() => import('./plan-page.tsx').then((file) => file.PlanPage))

/** Outlets with their taxes and receipts, printers and what they printed, the business, approvals, modules and the plan. */
export function SettingsPage() {
  const t = useOfficeTexts()
  const may = useMay()
  const [{ tab = 'outlets', id }] = useOfficeSearch()
  if (tab === 'outlets' && id !== undefined) return <OutletEditor key={id} id={id} />
  if (tab === 'printers' && id !== undefined) return <PrinterEditor key={id} id={id} />
  return (
    <>
      <Tabs
        label={t('area.settings')}
        tabs={[
          { key: 'outlets', text: t('outlets') },
          { key: 'printers', text: t('printers') },
          { key: 'jobs', text: t('jobs') },
          { key: 'business', text: t('settings.business') },
          { key: 'approvals', text: t('settings.approvals') },
          { key: 'modules', text: t('settings.modules') },
          ...(may('billing.get') ? [{ key: 'plan', text: t('settings.plan') }] : []),
        ]}
      />
      {tab === 'outlets' && <OutletList />}
      {tab === 'printers' && <PrinterList />}
      {tab === 'jobs' && <JobList />}
      {tab === 'business' && <BusinessForm />}
      {tab === 'approvals' && <ApprovalSettingsForm />}
      {tab === 'modules' && <ModuleList />}
      {tab === 'plan' && may('billing.get') && <PlanPage />}
    </>
  )
}
