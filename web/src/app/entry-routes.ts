import { createRootRoute, createRoute, lazyRouteComponent, Outlet } from '@tanstack/react-router'
import { NotFoundPage } from './not-found.tsx'

/** The pages that need no sign-in. */

export const rootRoute = createRootRoute({ component: Outlet, notFoundComponent: NotFoundPage })

export const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/masuk',
  validateSearch: ({ to, via }: Record<string, unknown>): { to?: string; via?: 'provider' } => ({
    ...(typeof to === 'string' && /^\/[a-z]/.test(to) && { to }),
    ...(via === 'provider' && { via }),
  }),
  component: lazyRouteComponent(() => import('../features/sign-in/sign-in-page.tsx'), 'SignInPage'),
})

export const signUpRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/daftar',
  component: lazyRouteComponent(() => import('../features/sign-in/sign-up-page.tsx'), 'SignUpPage'),
})

export const displayRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/layar',
  component: lazyRouteComponent(() => import('../features/display/display-page.tsx'), 'DisplayPage'),
})

export const operatorRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/operator',
  component: lazyRouteComponent(() => import('../features/operator/operator-page.tsx'), 'OperatorPage'),
})

const LinkPages = lazyRouteComponent(() => import('../features/sign-in/link-pages.tsx'), 'LinkPages')
const linkPage = <const Path extends string>(path: Path) =>
  createRoute({ getParentRoute: () => rootRoute, path, component: LinkPages })

/** The forgotten password, and the addresses that mails and the sign-in of a provider lead to. */
export const linkRoutes = [
  linkPage('/lupa-kata-sandi'),
  linkPage('/password'),
  linkPage('/verify'),
  linkPage('/invitation'),
  linkPage('/second-factor'),
] as const
