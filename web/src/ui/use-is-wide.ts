import { useSyncExternalStore } from 'react'

/**
 * From this width on the cart is beside the tiles; on narrower screens it covers them. The same width as `lg:` of the
 * styles.
 */
const wide = window.matchMedia('(min-width: 64rem)')

const watch = (notify: () => void) => {
  wide.addEventListener('change', notify)
  return () => wide.removeEventListener('change', notify)
}

export const useIsWide = (): boolean => useSyncExternalStore(watch, () => wide.matches)
