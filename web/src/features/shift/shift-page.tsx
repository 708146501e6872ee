import { useQuery } from '@tanstack/react-query'
import type { ShiftDetail } from 'kasir-client'
import { shiftsGetCurrent } from 'kasir-client'
import { useState } from 'react'
import { call } from '../../app/service.ts'
import { useOutlet } from '../../offline/shop.ts'
import { useTexts } from '../../texts/texts.ts'
import { Failure } from '../../ui/failure.tsx'
import { ClosedShift } from './closed-shift.tsx'
import { OpenShift } from './open-shift.tsx'
import { RunningShift } from './running-shift.tsx'

/** The drawer of the member: opened with a float, watched while it runs, counted and closed. */
export function ShiftPage() {
  const t = useTexts()
  const outlet = useOutlet()
  const [closed, setClosed] = useState<{ shift: ShiftDetail; error: unknown } | null>(null)
  const current = useQuery({
    queryKey: ['shift', outlet?.id],
    queryFn: () => call(shiftsGetCurrent, { outletId: outlet?.id ?? '' }),
    enabled: outlet !== undefined,
  })
  const shift = current.data?.shift
  return (
    <div className="h-full overflow-y-auto">
      <div className="mx-auto max-w-3xl p-4 pb-10 sm:p-6">
        <h1 className="mb-4 text-2xl font-bold">{t('shift')}</h1>
        <Failure error={current.error} />
        {closed !== null && <ClosedShift {...closed} onNext={() => setClosed(null)} />}
        {closed === null && shift === null && outlet?.isActive && <OpenShift outletId={outlet.id} />}
        {closed === null && shift && (
          <RunningShift shift={shift} onClosed={(each, error) => setClosed({ shift: each, error })} />
        )}
      </div>
    </div>
  )
}
