import { ModuleGate } from '../../office/module-gate.tsx'
import { useOfficeSearch } from '../../office/search-state.ts'
import { Tabs } from '../../office/tabs.tsx'
import { useMarketingTexts } from '../../texts/marketing/texts.ts'
import { useOfficeTexts } from '../../texts/office/texts.ts'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { PostList } from './post-list.tsx'

const AttributionList = lazyPart(() => import('./attribution-list.tsx').then((file) => file.AttributionList))
const CartForm = lazyPart(() => import('./cart-form.tsx').then((file) => file.CartForm))
const FeedsPage = lazyPart(() => import('./feeds-page.tsx').then((file) => file.FeedsPage))
const LinkList = lazyPart(() => import('./link-list.tsx').then((file) => file.LinkList))
const PixelsForm = lazyPart(() => import('./pixels-form.tsx').then((file) => file.PixelsForm))
const PostEditor = lazyPart(() => import('./post-form.tsx').then((file) => file.PostEditor))
const ProgramForm = lazyPart(() => import('./program-form.tsx').then((file) => file.ProgramForm))
const ReminderList = lazyPart(() => import('./reminder-list.tsx').then((file) => file.ReminderList))

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
