import { clean, localTime } from '../../../core/paper/format.ts'
import { CUT, centered, type PaperRow, pair } from '../../../core/paper/rows.ts'
import type { JobKind } from '../../../core/printing.ts'

type PaperJob = {
  kind: JobKind
  content: readonly PaperRow[]
  copy: boolean
  createdAt: string
  timezone: string
  /** The printer that failed to print it; null if none did. */
  failedPrinter: string | null
}

const banner = (text: string): PaperRow => ({ kind: 'banner', text })

/** A label has no room for it, so it is a separate paper. */
const headOf = (kind: JobKind, marks: PaperRow[]): PaperRow[] =>
  kind === 'LABEL' && marks.length > 0 ? [...marks, CUT] : marks

/** The rows of a job as this try prints them: marked as a copy, and with the printer that failed (B-print-5). */
export const rowsOfJob = ({
  kind,
  content,
  copy,
  createdAt,
  timezone,
  failedPrinter,
}: PaperJob): PaperRow[] => [
  ...headOf(kind, [
    ...(copy ? [banner('SALINAN')] : []),
    ...(failedPrinter === null
      ? []
      : [centered(`Printer ${clean(failedPrinter)} gagal: dicetak di sini`, true)]),
  ]),
  ...content,
  ...(kind === 'KITCHEN' || kind === 'TEST' ? [pair('Waktu', localTime(createdAt, timezone))] : []),
]

/** A page that shows whether a printer prints the right letters on the right paper. */
export const testRows = ({ name, paper }: { name: string; paper: number }): PaperRow[] => [
  banner('TES'),
  centered(clean(name), true),
  pair('Kertas', `${paper} mm`),
  pair('Huruf', 'ABC abc 123 é ñ'),
  pair('Rupiah', 'Rp 12.500'),
]
