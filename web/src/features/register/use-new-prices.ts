import { useEffect } from 'react'
import { lazyModule } from '../../ui/lazy-module.ts'

const load = lazyModule(() => import('../../offline/catalogue-changes.ts'))
/** The register loads what the first sale needs before this. */
const AFTER_MS = 4_000

/** While the page is open, goods and prices that are changed elsewhere show within two seconds (E8). */
export function useNewPrices(outletId: string | undefined) {
  useEffect(() => {
    if (outletId === undefined) return
    const left = new AbortController()
    const follow = () =>
      void load().then(
        (file) => file.followCatalogue(outletId, left.signal),
        () => {},
      )
    const timer = setTimeout(follow, AFTER_MS)
    return () => {
      clearTimeout(timer)
      left.abort()
    }
  }, [outletId])
}
