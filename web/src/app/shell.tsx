import { Link, Outlet, useRouter } from '@tanstack/react-router'
import {
  Armchair,
  ChefHat,
  ConciergeBell,
  type LucideIcon,
  ReceiptText,
  ShoppingBasket,
  Store,
  Wallet,
} from 'lucide-react'
import { useEffect } from 'react'
import { useIdleLock } from '../features/till/use-idle-lock.ts'
import { keepCustomers } from '../offline/customers.ts'
import { openOutbox } from '../offline/outbox.ts'
import { keepSending } from '../offline/sender.ts'
import { useIsOutletClosed, useShop } from '../offline/shop.ts'
import { useHasPrinter } from '../printing/has-printer.ts'
import { type TextKey, useTexts } from '../texts/texts.ts'
import { lazyModule, loadAllParts } from '../ui/lazy-module.ts'
import { lazyPart } from '../ui/lazy-part.tsx'
import { useApproval } from './approval.ts'
import { Header } from './header.tsx'
import { useIsOnline } from './line.ts'
import { isServed, useSession } from './session.ts'
import { useTill } from './till.ts'
import { useOtherTabs } from './use-other-tabs.ts'

const LockScreen = lazyPart(() => import('../features/till/lock-screen.tsx').then((file) => file.LockScreen))
const ApprovalDialog = lazyPart(() =>
  import('../features/till/approval-dialog.tsx').then((file) => file.ApprovalDialog),
)

const PrinterBand = lazyPart(() =>
  import('../features/till/printer-band.tsx').then((file) => file.PrinterBand),
)
const ClosedOutlet = lazyPart(() => import('./closed-outlet.tsx').then((file) => file.ClosedOutlet))
const loadPrinting = lazyModule(() => import('../printing/till-printer.ts'))

type PagePath = '/jual' | '/meja' | '/dapur' | '/saji' | '/shift' | '/penjualan'
type PageLink = { to: PagePath; text: TextKey; icon: LucideIcon; isForFood?: boolean }

const PAGES: readonly PageLink[] = [
  { to: '/jual', text: 'nav.register', icon: ShoppingBasket },
  { to: '/meja', text: 'nav.floor', icon: Armchair, isForFood: true },
  { to: '/dapur', text: 'nav.kitchen', icon: ChefHat, isForFood: true },
  { to: '/saji', text: 'nav.serve', icon: ConciergeBell, isForFood: true },
  { to: '/shift', text: 'nav.shift', icon: Wallet },
  { to: '/penjualan', text: 'nav.sales', icon: ReceiptText },
]

const RAIL_LINK =
  'flex min-h-14 min-w-12 shrink-0 flex-col items-center justify-center gap-0.5 rounded-xl text-[0.625rem] sm:min-w-14 sm:px-1 sm:text-xs font-medium text-muted hover:bg-line/60 aria-[current=page]:bg-brand-soft aria-[current=page]:text-brand'

/** A new business sees its first sale first. */
const PARTS_AFTER_MS = 4_000

function loadTheRest(router: ReturnType<typeof useRouter>) {
  loadAllParts()
  for (const { to } of PAGES) void router.preloadRoute({ to }).catch(() => {})
}

/** The frame of every page: the rail (at the bottom on a portrait screen), and the line about outlet and member. */
export function Shell() {
  const isSignedIn = useSession((session) => session.member !== null)
  const isLocked = useTill((till) => till.isLocked)
  const accountId = useSession((session) => session.account?.id)
  const open = useShop((shop) => shop.open)
  const isShopServed = useSession(isServed)
  // A locked till keeps sending its sales. Reading and sending start again once the service answers for this workspace.
  useEffect(() => {
    if (accountId === undefined) return
    const ends = [open(accountId), openOutbox(accountId), keepSending(), keepCustomers(accountId)]
    return () => {
      for (const end of ends) end()
    }
  }, [accountId, isShopServed, open])
  useLockOnReturn()
  useOtherTabs()
  const hasPrinter = useHasPrinter()
  // A locked till keeps printing.
  useEffect(() => {
    if (isSignedIn && hasPrinter) void loadPrinting().then((file) => file.startTillPrinter())
  }, [isSignedIn, hasPrinter])
  return isSignedIn && !isLocked ? <OpenShell /> : <LockScreen />
}

/** A member whom only this device has recognised enters their PIN again as soon as the service can be reached. */
function useLockOnReturn() {
  const isProvisional = useSession((session) => session.isProvisional)
  const isOnline = useIsOnline()
  useEffect(() => {
    if (isProvisional && isOnline) useTill.getState().lock()
  }, [isProvisional, isOnline])
}

function OpenShell() {
  const t = useTexts()
  const router = useRouter()
  const isFood = useShop((shop) => shop.settings?.businessType === 'FNB')
  useIdleLock()
  const isCashier = useSession((session) => session.member?.role === 'CASHIER')
  const approval = useApproval(({ request }) => request)
  useEffect(() => {
    const timer = setTimeout(() => loadTheRest(router), PARTS_AFTER_MS)
    return () => clearTimeout(timer)
  }, [router])
  return (
    <div className="flex h-dvh flex-col-reverse lg:flex-row">
      <nav
        aria-label={t('nav.main')}
        className="flex shrink-0 justify-between overflow-x-auto border-t [scrollbar-width:none] sm:justify-around bg-panel pb-[env(safe-area-inset-bottom)] lg:w-20 lg:flex-col lg:justify-start lg:gap-1 lg:border-t-0 lg:border-r lg:px-2 lg:py-3"
      >
        {PAGES.filter(({ isForFood }) => isFood || !isForFood).map(({ to, text, icon: Icon }) => (
          <Link key={to} to={to} className={RAIL_LINK}>
            <Icon aria-hidden size={22} />
            {t(text)}
          </Link>
        ))}
        <Link to={isCashier ? '/pelanggan' : '/beranda'} className={RAIL_LINK}>
          <Store aria-hidden size={22} />
          {t('nav.office')}
        </Link>
      </nav>
      {approval !== null && <ApprovalDialog request={approval} />}
      <div className="flex min-h-0 min-w-0 flex-1 flex-col">
        <Header />
        {useHasPrinter() && <PrinterBand />}
        {useIsOutletClosed() && <ClosedOutlet />}
        <main className="min-h-0 flex-1">
          <Outlet />
        </main>
      </div>
    </div>
  )
}
