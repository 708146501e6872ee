import { useLocation } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { NotFoundPage } from '../../app/not-found.tsx'
import { ForgotPage } from './forgot-page.tsx'
import { InvitationPage } from './invitation-page.tsx'
import { PasswordPage } from './password-page.tsx'
import { SecondFactorPage } from './second-factor-page.tsx'
import { VerifyPage } from './verify-page.tsx'

const PAGES: Readonly<Record<string, ComponentType>> = {
  '/lupa-kata-sandi': ForgotPage,
  '/password': PasswordPage,
  '/verify': VerifyPage,
  '/invitation': InvitationPage,
  '/second-factor': SecondFactorPage,
}

/** The pages around signing in that are seldom opened: one file, so that the first load names one only. */
export function LinkPages() {
  const { pathname } = useLocation()
  const Page = PAGES[pathname.replace(/\/$/, '')] ?? NotFoundPage
  // Another link opened in the same tab begins with an empty form.
  const { hash } = useLocation()
  return <Page key={hash} />
}
