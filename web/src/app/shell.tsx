import { Link, Outlet } from '@tanstack/react-router'
import { type LucideIcon, ReceiptText, ShoppingBasket, Wallet } from 'lucide-react'
import { useEffect } from 'react'
import { useShop } from '../offline/shop.ts'
import { type TextKey, useTexts } from '../texts/texts.ts'
import { Header } from './header.tsx'
import { useSession } from './session.ts'

const PAGES: readonly { to: '/jual' | '/shift' | '/penjualan'; text: TextKey; icon: LucideIcon }[] = [
  { to: '/jual', text: 'nav.register', icon: ShoppingBasket },
  { to: '/shift', text: 'nav.shift', icon: Wallet },
  { to: '/penjualan', text: 'nav.sales', icon: ReceiptText },
]

/** The frame of every page: the rail (at the bottom on a portrait screen), and the line about outlet and member. */
export function Shell() {
  const t = useTexts()
  const accountId = useSession((session) => session.account?.id)
  const open = useShop((shop) => shop.open)
  useEffect(() => (accountId === undefined ? undefined : open(accountId)), [accountId, open])
  return (
    <div className="flex h-dvh flex-col-reverse lg:flex-row">
      <nav
        aria-label={t('nav.main')}
        className="flex shrink-0 justify-around border-t bg-panel pb-[env(safe-area-inset-bottom)] lg:w-20 lg:flex-col lg:justify-start lg:gap-1 lg:border-t-0 lg:border-r lg:px-2 lg:py-3"
      >
        {PAGES.map(({ to, text, icon: Icon }) => (
          <Link
            key={to}
            to={to}
            className="flex min-h-14 min-w-16 flex-col items-center justify-center gap-0.5 rounded-xl px-1 text-xs font-medium text-muted hover:bg-line/60 aria-[current=page]:bg-brand-soft aria-[current=page]:text-brand"
          >
            <Icon aria-hidden size={22} />
            {t(text)}
          </Link>
        ))}
      </nav>
      <div className="flex min-h-0 min-w-0 flex-1 flex-col">
        <Header />
        <main className="min-h-0 flex-1">
          <Outlet />
        </main>
      </div>
    </div>
  )
}
