import { createRootRoute, createRoute, lazyRouteComponent, Outlet } from '@tanstack/react-router'
import { NotFoundPage } from './not-found.tsx'

/** The pages that need no sign-in. */

export const rootRoute = createRootRoute({ component: Outlet, notFoundComponent: NotFoundPage })

export const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/masuk',
  validateSearch: ({ to }: Record<string, unknown>): { to?: string } =>
    typeof to === 'string' && /^\/[a-z]/.test(to) ? { to } : {},
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
