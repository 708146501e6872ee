import { useEffect } from 'react'
import { lazyModule } from '../../ui/lazy-module.ts'

const load = lazyModule(() => import('../../offline/catalogue-changes.ts'))
/** The first sale comes before it. */
const AFTER_MS = 4_000

/** While the page is open, goods and prices that are changed elsewhere show within two seconds (E8). */
export function useNewPrices(outletId: string | undefined) {
  useEffect(() => {
    const left = new AbortController()
    const follow = () =>
      void load().then(
        (file) => file.followCatalogue(outletId ?? '', left.signal),
        () => {},
      )
    const timer = outletId && setTimeout(follow, AFTER_MS)
    return () => {
      clearTimeout(timer)
      left.abort()
    }
  }, [outletId])
}
