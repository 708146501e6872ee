import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { readStoredSession, useSession } from './session.ts'

/**
 * Follows a sign-in or sign-out of another tab. All tabs share the cookie, so this tab would otherwise write in the name
 * of a member or a workspace that it does not show.
 */
export function useOtherTabs() {
  const { history } = useRouter()
  useEffect(() => {
    const follow = () => {
      const { member, account } = useSession.getState()
      const stored = readStoredSession()
      if (member === null || stored === null) return
      if (stored.member?.id === member.id && stored.account?.id === account?.id) return
      if (stored.member === null || stored.isProvisional) {
        // After a sign-out nothing is shown, and a provisional member has no service to reload the page from.
        void useSession.persist.rehydrate()
        return
      }
      // The drafts of forms stay in this tab, so no form has to ask before the page is left.
      history.destroy()
      window.location.reload()
    }
    window.addEventListener('storage', follow)
    // A tab that slept may have missed the event.
    document.addEventListener('visibilitychange', follow)
    return () => {
      window.removeEventListener('storage', follow)
      document.removeEventListener('visibilitychange', follow)
    }
  }, [history])
}
