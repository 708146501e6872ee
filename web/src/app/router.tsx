import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router'
import { NotFoundPage } from './not-found.tsx'
import { useSession } from './session.ts'
import { Shell } from './shell.tsx'
import { useTill } from './till.ts'

const rootRoute = createRootRoute({ component: Outlet, notFoundComponent: NotFoundPage })

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/masuk',
  validateSearch: ({ to }: Record<string, unknown>): { to?: string } =>
    typeof to === 'string' && /^\/[a-z]/.test(to) ? { to } : {},
  component: lazyRouteComponent(() => import('../features/sign-in/sign-in-page.tsx'), 'SignInPage'),
})

const signUpRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/daftar',
  component: lazyRouteComponent(() => import('../features/sign-in/sign-up-page.tsx'), 'SignUpPage'),
})

const displayRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/layar',
  component: lazyRouteComponent(() => import('../features/display/display-page.tsx'), 'DisplayPage'),
})

const insideRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'inside',
  beforeLoad: ({ location }) => {
    // An enrolled till shows its lock screen instead.
    if (useSession.getState().member === null && useTill.getState().till === null)
      throw redirect({ to: '/masuk', search: { to: location.pathname } })
  },
  component: Shell,
})

const homeRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/jual' })
  },
})

const registerRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: '/jual',
  component: lazyRouteComponent(() => import('../features/register/register-page.tsx'), 'RegisterPage'),
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

export const router = createRouter({
  routeTree: rootRoute.addChildren([
    signInRoute,
    signUpRoute,
    displayRoute,
    insideRoute.addChildren([
      homeRoute,
      registerRoute,
      floorRoute,
      kitchenRoute,
      serveRoute,
      shiftRoute,
      salesRoute,
    ]),
  ]),
  defaultPreload: 'intent',
})

// A session that ends anywhere leads to the sign-in page, and back to the same page afterwards.
useSession.subscribe(({ member }, before) => {
  if (member === null && before.member !== null && useTill.getState().till === null)
    void router.navigate({ to: '/masuk', search: { to: router.state.location.pathname } })
})

declare module '@tanstack/react-router' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- declarations merge only as interfaces
  interface Register {
    router: typeof router
  }
}
