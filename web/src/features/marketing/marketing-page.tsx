import { ModuleGate } from '../../office/module-gate.tsx'
import { useOfficeSearch } from '../../office/search-state.ts'
import { Tabs } from '../../office/tabs.tsx'
import { useMarketingTexts } from '../../texts/marketing/texts.ts'
import { useOfficeTexts } from '../../texts/office/texts.ts'
import { AttributionList } from './attribution-list.tsx'
import { CartForm } from './cart-form.tsx'
import { FeedsPage } from './feeds-page.tsx'
import { LinkList } from './link-list.tsx'
import { PixelsForm } from './pixels-form.tsx'
import { PostEditor } from './post-form.tsx'
import { PostList } from './post-list.tsx'
import { ProgramForm } from './program-form.tsx'
import { ReminderList } from './reminder-list.tsx'

const PARTS = {
  blog: PostList,
  feeds: FeedsPage,
  pixels: PixelsForm,
  referrals: ProgramForm,
  links: LinkList,
  attributions: AttributionList,
  carts: CartForm,
  reminders: ReminderList,
} as const
type TabKey = keyof typeof PARTS
const TABS = Object.keys(PARTS) as readonly TabKey[]

/** The blog, feeds for ad platforms, pixels, the referral program, and reminders of bills that were left open. */
export function MarketingPage() {
  const t = useOfficeTexts()
  const m = useMarketingTexts()
  const [{ tab = 'blog', id }] = useOfficeSearch()
  const Part = PARTS[tab as TabKey]
  return (
    <ModuleGate module="marketing">
      {id === undefined ? (
        <>
          <Tabs label={t('area.marketing')} tabs={TABS.map((key) => ({ key, text: m(key) }))} />
          {Part && <Part />}
        </>
      ) : (
        <PostEditor key={id} id={id} />
      )}
    </ModuleGate>
  )
}
