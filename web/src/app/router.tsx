import {
  createRoute,
  createRouter,
  type ErrorRouteComponent,
  lazyRouteComponent,
  type RouteComponent,
  redirect,
} from '@tanstack/react-router'
import { lazyPart } from '../ui/lazy-part.tsx'
import {
  displayRoute,
  linkRoutes,
  operatorRoute,
  rootRoute,
  signInRoute,
  signUpRoute,
} from './entry-routes.ts'
import { useSession } from './session.ts'
import { Shell } from './shell.tsx'
import { useTill } from './till.ts'

const insideRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'inside',
  beforeLoad: ({ location }) => {
    // An enrolled till shows its lock screen instead.
    if (useSession.getState().member === null && useTill.getState().till === null)
      throw redirect({ to: '/masuk', search: { to: location.href } })
  },
  component: Shell,
})

/** A till and a cashier begin with selling, a manager with the figures. */
const startPage = () => {
  const role = useSession.getState().member?.role
  return useTill.getState().till !== null || role === 'CASHIER' ? '/jual' : '/beranda'
}

const homeRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: startPage() })
  },
})

const LazyFailed = lazyPart<{ reset(): void }>(() =>
  import('../features/register/register-failed.tsx').then((file) => file.RegisterFailed),
)
const RegisterFailed: ErrorRouteComponent = ({ reset }) => <LazyFailed reset={reset} />
const registerRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: '/jual',
  component: lazyRouteComponent(() => import('../features/register/register-page.tsx'), 'RegisterPage'),
  errorComponent: RegisterFailed,
})

const shiftRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: '/shift',
  component: lazyRouteComponent(() => import('../features/shift/shift-page.tsx'), 'ShiftPage'),
})

const salesRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: '/penjualan',
  validateSearch: ({ sale }: Record<string, unknown>): { sale?: string } =>
    typeof sale === 'string' ? { sale } : {},
  component: lazyRouteComponent(() => import('../features/sales/sales-page.tsx'), 'SalesPage'),
})

const floorRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: '/meja',
  component: lazyRouteComponent(() => import('../features/floor/floor-page.tsx'), 'FloorPage'),
})

const kitchenRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: '/dapur',
  component: lazyRouteComponent(() => import('../features/kitchen/kitchen-page.tsx'), 'KitchenPage'),
})

const serveRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: '/saji',
  component: lazyRouteComponent(() => import('../features/kitchen/serve-page.tsx'), 'ServePage'),
})

/** The members' pages of the back office: their frame and their search, which the address holds as texts. */
const officeRoute = createRoute({
  getParentRoute: () => insideRoute,
  id: 'office',
  component: lazyRouteComponent(() => import('../office/frame.tsx'), 'OfficeFrame'),
})
const textsIn = (search: Record<string, unknown>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(search).map(([key, value]) => [key, String(value)]))
const officePage = <
  const Path extends string,
  Page extends Record<string, RouteComponent>,
  Name extends keyof Page & string,
>(
  path: Path,
  load: () => Promise<Page>,
  name: Name,
) =>
  createRoute({
    getParentRoute: () => officeRoute,
    path,
    validateSearch: textsIn,
    component: lazyRouteComponent(load, name) as RouteComponent,
  })
const officePages = [
  officePage('/beranda', () => import('../features/home/home-page.tsx'), 'HomePage'),
  officePage('/produk', () => import('../features/products/products-page.tsx'), 'ProductsPage'),
  officePage('/promo', () => import('../features/promotions/promotions-page.tsx'), 'PromotionsPage'),
  officePage('/laporan', () => import('../features/reports/reports-page.tsx'), 'ReportsPage'),
  officePage('/pengaturan', () => import('../features/settings/settings-page.tsx'), 'SettingsPage'),
  officePage('/orang', () => import('../features/people/people-page.tsx'), 'PeoplePage'),
  officePage('/stok', () => import('../features/stock/stock-page.tsx'), 'StockPage'),
  officePage('/pelanggan', () => import('../features/customers/customers-page.tsx'), 'CustomersPage'),
  officePage('/kartu-hadiah', () => import('../features/gift-cards/gift-cards-page.tsx'), 'GiftCardsPage'),
  officePage('/pembelian', () => import('../features/purchasing/purchasing-page.tsx'), 'PurchasingPage'),
  officePage('/pembayaran', () => import('../features/payments/payments-page.tsx'), 'PaymentsPage'),
  officePage('/pengiriman', () => import('../features/delivery/delivery-page.tsx'), 'DeliveryPage'),
  officePage('/pemasaran', () => import('../features/marketing/marketing-page.tsx'), 'MarketingPage'),
  officePage('/akun', () => import('../features/account/account-page.tsx'), 'AccountPage'),
  officePage('/pengembang', () => import('../features/developer/developer-page.tsx'), 'DeveloperPage'),
] as const

export const router = createRouter({
  routeTree: rootRoute.addChildren([
    signInRoute,
    signUpRoute,
    operatorRoute,
    displayRoute,
    ...linkRoutes,
    insideRoute.addChildren([
      homeRoute,
      registerRoute,
      floorRoute,
      kitchenRoute,
      serveRoute,
      shiftRoute,
      salesRoute,
      officeRoute.addChildren(officePages),
    ]),
  ]),
  defaultPreload: 'intent',
})

const askToSignIn = () => void router.navigate({ to: '/masuk', search: { to: router.state.location.href } })

// A session that ends anywhere leads to the sign-in page, and back to the same page afterwards.
useSession.subscribe(({ member }, before) => {
  if (member === null && before.member !== null && useTill.getState().till === null) askToSignIn()
})

// No PIN opens the lock screen of a till that was revoked.
useTill.subscribe(({ till }, before) => {
  if (till !== null || before.till === null || useSession.getState().member !== null) return
  if (router.state.matches.some(({ routeId }) => routeId === insideRoute.id)) askToSignIn()
})

declare module '@tanstack/react-router' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- declarations merge only as interfaces
  interface Register {
    router: typeof router
  }
}
