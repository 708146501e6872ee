import { useMay } from '../../office/may.tsx'
import { useOfficeSearch } from '../../office/search-state.ts'
import { Tabs } from '../../office/tabs.tsx'
import { useOfficeTexts } from '../../texts/office/texts.ts'
import { usePlanTexts } from '../../texts/plan/texts.ts'
import { ApprovalSettingsForm } from './approval-form.tsx'
import { BusinessForm } from './business-form.tsx'
import { JobList } from './job-list.tsx'
import { ModuleList } from './module-list.tsx'
import { OutletEditor } from './outlet-form.tsx'
import { OutletList } from './outlet-list.tsx'
import { PlanPage } from './plan-page.tsx'
import { PrinterEditor } from './printer-form.tsx'
import { PrinterList } from './printer-list.tsx'

/** Outlets with their taxes and receipts, printers and what they printed, the business, approvals, modules and the plan. */
export function SettingsPage() {
  const t = useOfficeTexts()
  const plan = usePlanTexts()
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
          { key: 'modules', text: plan('modules') },
          ...(may('billing.get') ? [{ key: 'plan', text: plan('plan') }] : []),
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
