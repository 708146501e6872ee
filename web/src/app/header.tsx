import { useNavigate } from '@tanstack/react-router'
import {
  ChevronDown,
  CircleUserRound,
  KeyRound,
  LogOut,
  type LucideIcon,
  MonitorCheck,
  ScreenShare,
  Store,
  UsersRound,
} from 'lucide-react'
import { useState } from 'react'
import { countUnsent, useOutbox } from '../offline/outbox.ts'
import { useOutlet, useShop } from '../offline/shop.ts'
import { useCart } from '../selling/cart-store.ts'
import { useTexts } from '../texts/texts.ts'
import { lazyPart } from '../ui/lazy-part.tsx'
import { MenuButton } from '../ui/menu-button.tsx'
import { useDevice } from './device.ts'
import { LineState } from './line-state.tsx'
import { LanguageButton, ThemeButton } from './screen-buttons.tsx'
import { useSession } from './session.ts'
import { signOut } from './sign-out.ts'
import { useTill } from './till.ts'
import { UpdateButton } from './update-button.tsx'

const EnrolDialog = lazyPart(() =>
  import('../features/till/enrol-dialog.tsx').then((file) => file.EnrolDialog),
)
const OwnPinDialog = lazyPart(() =>
  import('../features/till/own-pin-dialog.tsx').then((file) => file.OwnPinDialog),
)

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
      <MemberMenu />
    </header>
  )
}

function OutletMenu() {
  const t = useTexts()
  const outlet = useOutlet()
  const outlets = useShop((shop) => shop.outlets)
  const setOutlet = useDevice((device) => device.setOutlet)
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
        onChoose: () => setOutlet(each.id),
      }))}
    >
      {name}
      <ChevronDown aria-hidden size={18} className="shrink-0" />
    </MenuButton>
  )
}

type MemberDialog = 'enrol' | 'pin'

function MemberMenu() {
  const t = useTexts()
  const navigate = useNavigate()
  const member = useSession((session) => session.member)
  const till = useTill((state) => state.till)
  const lock = useTill((state) => state.lock)
  const unsent = useOutbox((outbox) => countUnsent(outbox.rows))
  const [dialog, setDialog] = useState<MemberDialog | null>(null)
  const entry = (key: string, Icon: LucideIcon, text: string, onChoose: () => void) => ({
    key,
    text: (
      <>
        <Icon aria-hidden size={20} className="shrink-0" />
        {text}
      </>
    ),
    onChoose,
  })
  return (
    <>
      <MenuButton
        label={`${t('member')} ${member?.name ?? ''}`}
        align="end"
        heading={
          <p className="px-3 py-2">
            <span className="block font-semibold">{member?.name}</span>
            <span className="block text-sm text-muted">
              {member && t(`role.${member.role}`)}
              {member?.email && ` · ${member.email}`}
            </span>
          </p>
        }
        entries={[
          ...(till === null ? [] : [entry('switch', UsersRound, t('till.switch'), lock)]),
          entry('account', CircleUserRound, t('account'), () => void navigate({ to: '/akun' })),
          entry('pin', KeyRound, t('pin.own'), () => setDialog('pin')),
          entry('display', ScreenShare, t('display.open'), () => window.open('/layar', 'kasir-display')),
          ...(till === null && member?.role !== 'CASHIER'
            ? [entry('enrol', MonitorCheck, t('till.enrol'), () => setDialog('enrol'))]
            : []),
          {
            ...entry('signOut', LogOut, t('signOut'), () => void signOut()),
            isDisabled: unsent > 0,
            ...(unsent > 0 && {
              text: (
                <>
                  <LogOut aria-hidden size={20} className="shrink-0" />
                  <span className="grid">
                    {t('signOut')}
                    <span className="max-w-56 text-sm">{t('signOut.unsent', { n: unsent })}</span>
                  </span>
                </>
              ),
            }),
          },
        ]}
      >
        <CircleUserRound aria-hidden size={22} />
        <span className="hidden max-w-40 truncate lg:inline">{member?.name}</span>
      </MenuButton>
      {dialog === 'enrol' && <EnrolDialog onClose={() => setDialog(null)} />}
      {dialog === 'pin' && <OwnPinDialog onClose={() => setDialog(null)} />}
    </>
  )
}
