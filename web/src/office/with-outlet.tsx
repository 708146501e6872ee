import type { Outlet } from 'kasir-client'
import type { ReactNode } from 'react'
import { useIsOutletClosed, useOutlet, useShop } from '../offline/shop.ts'
import { useOfficeTexts } from '../texts/office/texts.ts'
import { Failure } from '../ui/failure.tsx'

/** Shows a form once the outlets are known: it begins with the outlet of this device. */
export function WithOutlet({ children }: { children(outlet: Outlet): ReactNode }) {
  const t = useOfficeTexts()
  const outlet = useOutlet()
  const state = useShop((shop) => shop.state)
  const error = useShop((shop) => shop.error)
  const isClosed = useIsOutletClosed()
  if (outlet?.isActive) return children(outlet)
  // The frame of the page says so.
  if (isClosed) return null
  return (
    <div className="p-4 sm:p-6">
      <Failure error={error} />
      <p role="status" className="text-muted">
        {t(state === 'fresh' ? 'outlet.none' : 'loading')}
      </p>
    </div>
  )
}
