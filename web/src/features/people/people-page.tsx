import { useMay } from '../../office/may.tsx'
import { useOfficeSearch } from '../../office/search-state.ts'
import { Tabs } from '../../office/tabs.tsx'
import { useOfficeTexts } from '../../texts/office/texts.ts'
import { KeyEditor } from './key-form.tsx'
import { KeyList } from './key-list.tsx'
import { MemberEditor } from './member-form.tsx'
import { MemberList } from './member-list.tsx'
import { TillList } from './till-list.tsx'

/** Members with their roles and PINs, tills, and API keys. Managers see the tills only. */
export function PeoplePage() {
  const t = useOfficeTexts()
  const may = useMay()
  const [address] = useOfficeSearch()
  const tabs = [
    ...(may('members.list') ? [{ key: 'members', text: t('members') }] : []),
    { key: 'tills', text: t('tills') },
    ...(may('apiKeys.list') ? [{ key: 'keys', text: t('keys') }] : []),
  ]
  const tab = address['tab'] ?? tabs[0]?.key
  const id = address['id']
  if (tab === 'members' && id !== undefined) return <MemberEditor key={id} id={id} />
  if (tab === 'keys' && id !== undefined) return <KeyEditor />
  return (
    <>
      <Tabs label={t('area.people')} tabs={tabs} />
      {tab === 'members' && <MemberList />}
      {tab === 'tills' && <TillList />}
      {tab === 'keys' && <KeyList />}
    </>
  )
}
