import { useOfficeSearch } from '../../office/search-state.ts'
import { Tabs } from '../../office/tabs.tsx'
import { useOfficeTexts } from '../../texts/office/texts.ts'
import { ApprovalSettingsForm } from './approval-form.tsx'
import { BusinessForm } from './business-form.tsx'
import { OutletEditor } from './outlet-form.tsx'
import { OutletList } from './outlet-list.tsx'

/** Outlets with their taxes and receipts, the business, and which actions need an approval. */
export function SettingsPage() {
  const t = useOfficeTexts()
  const [{ tab = 'outlets', id }] = useOfficeSearch()
  if (tab === 'outlets' && id !== undefined) return <OutletEditor key={id} id={id} />
  return (
    <>
      <Tabs
        label={t('area.settings')}
        tabs={[
          { key: 'outlets', text: t('outlets') },
          { key: 'business', text: t('settings.business') },
          { key: 'approvals', text: t('settings.approvals') },
        ]}
      />
      {tab === 'outlets' && <OutletList />}
      {tab === 'business' && <BusinessForm />}
      {tab === 'approvals' && <ApprovalSettingsForm />}
    </>
  )
}
