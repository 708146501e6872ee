import { CircleCheck, TriangleAlert } from 'lucide-react'
import { useTexts } from '../../texts/texts.ts'
import { classes } from '../../ui/classes.ts'
import { formatRupiah } from '../../ui/rupiah.ts'

/** One sentence about the drawer: it fits, or how much is too much or missing. */
export function Difference({ expected, counted }: { expected: number; counted: number }) {
  const t = useTexts()
  const difference = counted - expected
  const Icon = difference === 0 ? CircleCheck : TriangleAlert
  const sentence = difference === 0 ? 'shift.fits' : difference > 0 ? 'shift.over' : 'shift.short'
  return (
    <p
      role="status"
      className={classes(
        'flex items-start gap-3 rounded-xl p-4 font-medium',
        difference === 0 ? 'bg-brand-soft text-brand' : 'bg-warn-soft text-warn',
      )}
    >
      <Icon aria-hidden size={22} className="mt-0.5 shrink-0" />
      <span>
        {t(sentence, { expected: formatRupiah(expected), difference: formatRupiah(Math.abs(difference)) })}
      </span>
    </p>
  )
}
