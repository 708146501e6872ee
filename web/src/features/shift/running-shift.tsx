import type { ShiftDetail } from 'kasir-client'
import { useState } from 'react'
import { useTexts } from '../../texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { formatTime } from '../../ui/time.ts'
import { CloseShift } from './close-shift.tsx'
import { MoveCash } from './move-cash.tsx'
import { ShiftFigures } from './shift-figures.tsx'

/** The open shift: its present figures, cash in and out, and the button that closes it. */
export function RunningShift({
  shift,
  onClosed,
}: {
  shift: ShiftDetail
  onClosed(shift: ShiftDetail, error?: unknown): void
}) {
  const t = useTexts()
  const [isClosing, setClosing] = useState(false)
  if (isClosing) return <CloseShift shift={shift} onClosed={onClosed} onBack={() => setClosing(false)} />
  return (
    <div className="grid gap-4">
      <div className="flex flex-wrap items-center gap-3">
        <p className="min-w-48 flex-1 text-muted">
          {t('shift.since', { name: shift.cashierName, time: formatTime(shift.openedAt) })}
        </p>
        <Button look="primary" size="large" onClick={() => setClosing(true)}>
          {t('shift.close')}
        </Button>
      </div>
      <ShiftFigures shift={shift} />
      <MoveCash shift={shift} />
    </div>
  )
}
