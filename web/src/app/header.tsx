import { ChevronDown, CircleUserRound, Store } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useOutlet, useShop } from '../offline/shop.ts'
import { useCart } from '../selling/cart-store.ts'
import { useTexts } from '../texts/texts.ts'
import { lazyPart } from '../ui/lazy-part.tsx'
import { MenuButton, Trigger } from '../ui/menu-button.tsx'
import { useDevice } from './device.ts'
import { LineState } from './line-state.tsx'
import { LanguageButton, ThemeButton } from './screen-buttons.tsx'
import { useSession } from './session.ts'
import { UpdateButton } from './update-button.tsx'

/** The bar above every page: the outlet, the connection, the member and the theme. */
export function Header() {
  const business = useSession((session) => session.account?.businessName)
  return (
    <header className="flex min-h-14 shrink-0 items-center gap-1 border-b bg-panel px-2 sm:gap-2 sm:px-4">
      <OutletMenu />
      <span className="hidden min-w-0 flex-1 truncate text-sm text-muted md:block">{business}</span>
      <span className="flex-1 md:hidden" />
      <UpdateButton />
      <LineState />
      <LanguageButton />
      <ThemeButton />
      <MemberMenuTrigger />
    </header>
  )
}

function OutletMenu() {
  const t = useTexts()
  const outlet = useOutlet()
  const outlets = useShop((shop) => shop.outlets)
  const setOutlet = useDevice((device) => device.setOutlet)
  const accountId = useShop((shop) => shop.accountId)
  const isEmpty = useCart((cart) => cart.lines.length === 0)
  const name = (
    <>
      <Store aria-hidden size={20} className="shrink-0 text-brand" />
      <span className="max-w-[34vw] truncate font-semibold">{outlet?.name}</span>
    </>
  )
  if (outlets.length < 2) return <span className="flex min-h-12 min-w-0 items-center gap-2 px-2">{name}</span>
  return (
    <MenuButton
      label={t('outlet.choose', { name: outlet?.name ?? '' })}
      heading={!isEmpty && <p className="max-w-64 px-3 py-2 text-sm text-muted">{t('outlet.emptyFirst')}</p>}
      entries={outlets.map((each) => ({
        key: each.id,
        text: each.name,
        isDisabled: !isEmpty,
        onChoose: () => accountId !== null && setOutlet(accountId, each.id),
      }))}
    >
      {name}
      <ChevronDown aria-hidden size={18} className="shrink-0" />
    </MenuButton>
  )
}

const loadMenu = () => import('./member-menu.tsx')
const MemberMenu = lazyPart<{ label: string; children: ReactNode }>(
  () => loadMenu().then((file) => file.MemberMenu),
  Trigger,
)

/** The menu of the member is loaded with the first tap. */
function MemberMenuTrigger() {
  const t = useTexts()
  const name = useSession((session) => session.member?.name)
  const [isMenuLoaded, setMenuLoaded] = useState(false)
  const label = `${t('member')} ${name ?? ''}`
  const content = (
    <>
      <CircleUserRound aria-hidden size={22} />
      <span className="hidden max-w-40 truncate lg:inline">{name}</span>
    </>
  )
  if (isMenuLoaded) return <MemberMenu label={label}>{content}</MemberMenu>
  return (
    <Trigger label={label} load={loadMenu} onOpen={() => setMenuLoaded(true)}>
      {content}
    </Trigger>
  )
}
