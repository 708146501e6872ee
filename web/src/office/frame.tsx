import { Link, Outlet, useLocation, useNavigate } from '@tanstack/react-router'
import { ChevronDown, CircleUserRound, Lock } from 'lucide-react'
import { useSession } from '../app/session.ts'
import { useOfficeTexts } from '../texts/office/texts.ts'
import { classes } from '../ui/classes.ts'
import { Empty } from '../ui/empty.tsx'
import { lazyPart } from '../ui/lazy-part.tsx'
import { MenuButton } from '../ui/menu-button.tsx'
import { ICONS } from './icons.ts'
import { OFFICE_PAGES, pagesFor } from './page-routes.ts'
import { useProof } from './proof/proof.ts'

const ProofDialog = lazyPart(() => import('./proof/proof-dialog.tsx').then((file) => file.ProofDialog))

const LINK =
  'flex min-h-11 items-center gap-3 rounded-lg px-3 text-sm font-medium text-muted hover:bg-line/60 aria-[current=page]:bg-brand-soft aria-[current=page]:text-brand'

/** The frame of the back office: the pages that the member may use, beside the page or in a menu above it. */
export function OfficeFrame() {
  const t = useOfficeTexts()
  const navigate = useNavigate()
  const role = useSession((session) => session.member?.role ?? 'CASHIER')
  const { pathname } = useLocation()
  const pages = pagesFor(role)
  const page = OFFICE_PAGES.find(({ path }) => path === pathname)
  const isAllowed = page === undefined || pages.includes(page)
  // The own account is a page for every role.
  const name = page === undefined ? t('account') : t(`area.${page.area}`)
  const proof = useProof(({ request }) => request)
  return (
    <div className="flex h-full flex-col lg:flex-row">
      <div className="flex items-center border-b bg-panel px-2 lg:hidden">
        <MenuButton
          label={t('office.menu', { name })}
          entries={pages.map(({ path, area }) => {
            const Icon = ICONS[area]
            return {
              key: path,
              text: (
                <>
                  <Icon aria-hidden size={20} className="shrink-0" />
                  {t(`area.${area}`)}
                </>
              ),
              onChoose: () => void navigate({ to: path }),
            }
          })}
        >
          <span className="font-semibold">{name}</span>
          <ChevronDown aria-hidden size={18} />
        </MenuButton>
      </div>
      <nav
        aria-label={t('office.nav')}
        className="hidden w-52 shrink-0 flex-col gap-0.5 overflow-y-auto border-r bg-panel p-3 lg:flex"
      >
        {pages.map(({ path, area }) => {
          const Icon = ICONS[area]
          return (
            <Link key={path} to={path} className={LINK}>
              <Icon aria-hidden size={19} className="shrink-0" />
              {t(`area.${area}`)}
            </Link>
          )
        })}
        <Link to="/akun" className={classes(LINK, 'mt-auto')}>
          <CircleUserRound aria-hidden size={19} className="shrink-0" />
          {t('account')}
        </Link>
      </nav>
      <div className="min-h-0 min-w-0 flex-1 overflow-y-auto">
        {isAllowed ? (
          <Outlet />
        ) : (
          <Empty as="h1" icon={Lock} title={t('office.locked')} text={t('office.lockedText')} />
        )}
      </div>
      {proof !== null && <ProofDialog request={proof} />}
    </div>
  )
}
