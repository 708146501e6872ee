import { useOfficeTexts } from '../../../texts/office/texts.ts'
import type { CsvRefusal } from './read-rows.ts'

/** The rows of a file that are not imported, and why. */
export function RefusalTable({ refusals }: { refusals: readonly CsvRefusal[] }) {
  const t = useOfficeTexts()
  return (
    <div className="overflow-hidden rounded-xl border bg-panel">
      <table aria-label={t('import.refused')} className="w-full border-collapse text-sm">
        <thead className="border-b bg-ground text-left text-muted">
          <tr>
            <th scope="col" className="h-11 px-3 font-medium">
              {t('csv.row')}
            </th>
            <th scope="col" className="px-3 font-medium">
              {t('csv.column')}
            </th>
            <th scope="col" className="hidden px-3 font-medium sm:table-cell">
              {t('product.name')}
            </th>
            <th scope="col" className="px-3 font-medium">
              {t('csv.problem')}
            </th>
          </tr>
        </thead>
        <tbody className="divide-y">
          {refusals.map(({ row, column, product, problem, value = '', otherRow = 0 }) => (
            <tr key={`${row}-${column}`}>
              <td className="px-3 py-2 tabular-nums">{row}</td>
              <td className="px-3 py-2 break-all">{column}</td>
              <td className="hidden px-3 py-2 break-words sm:table-cell">{product}</td>
              <td className="px-3 py-2 break-words text-danger">
                {typeof problem === 'string'
                  ? t(`csv.${problem}`, { value, row: otherRow })
                  : problem.sentence}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
