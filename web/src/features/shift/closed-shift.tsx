import type { ShiftDetail } from 'kasir-client'
import { useTexts } from '../../texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Difference } from './difference.tsx'
import { ShiftFigures } from './shift-figures.tsx'

/** The shift that was just closed, with the figures that never change again. */
export function ClosedShift({ shift, onNext }: { shift: ShiftDetail; onNext(): void }) {
  const t = useTexts()
  return (
    <div className="grid gap-4">
      <h2 className="text-lg font-semibold">{t('shift.closed')}</h2>
      <Difference expected={shift.expectedCash} counted={shift.countedCash ?? 0} />
      <ShiftFigures shift={shift} />
      <div className="flex flex-wrap gap-3">
        <Button onClick={() => window.print()}>{t('shift.print')}</Button>
        <Button look="primary" onClick={onNext}>
          {t('shift.next')}
        </Button>
      </div>
    </div>
  )
}
