import { useSyncExternalStore } from 'react'

/** From here on the cart lies beside the tiles; below, over them. The same width as `lg:` of the styles. */
const wide = window.matchMedia('(min-width: 64rem)')

const watch = (notify: () => void) => {
  wide.addEventListener('change', notify)
  return () => wide.removeEventListener('change', notify)
}

export const useIsWide = (): boolean => useSyncExternalStore(watch, () => wide.matches)
