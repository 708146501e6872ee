import type { ShiftDetail } from 'kasir-client'
import { useSession } from '../../app/session.ts'
import { useTexts } from '../../texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/failure.tsx'
import { tillPapers } from '../../ui/print.ts'
import { Difference } from './difference.tsx'
import { ShiftFigures } from './shift-figures.tsx'

/** Only managers read the report of a shift by the service; the page itself is printed for the others. */
function print(id: string) {
  const isCashier = useSession.getState().member?.role === 'CASHIER'
  const papers = isCashier ? null : tillPapers()
  if (papers) void papers.then((file) => file.printShift(id))
  else window.print()
}

type ClosedShiftProps = {
  shift: ShiftDetail
  /** Set if an earlier request closed the shift, possibly with another count. */
  error: unknown
  onNext(): void
}

/** The shift that was just closed, with the figures that never change again. */
export function ClosedShift({ shift, error, onNext }: ClosedShiftProps) {
  const t = useTexts()
  return (
    <div className="grid gap-4">
      <h2 className="text-lg font-semibold">{t('shift.closed')}</h2>
      <Failure error={error} />
      <Difference expected={shift.expectedCash} counted={shift.countedCash ?? 0} />
      <ShiftFigures shift={shift} />
      <div className="flex flex-wrap gap-3">
        <Button onClick={() => print(shift.id)}>{t('shift.print')}</Button>
        <Button look="primary" onClick={onNext}>
          {t('shift.next')}
        </Button>
      </div>
    </div>
  )
}
