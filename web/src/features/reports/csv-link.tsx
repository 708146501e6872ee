import { Download } from 'lucide-react'
import { useOfficeTexts } from '../../texts/office/texts.ts'

/** Saves a report as the CSV that the service answers. */
export function CsvLink({
  path,
  name,
  input,
}: {
  path: string
  name: string
  input: Readonly<Record<string, string>>
}) {
  const t = useOfficeTexts()
  return (
    <a
      href={`/api/v1/reports/${path}?${new URLSearchParams({ ...input, format: 'csv' })}`}
      download={`${path}.csv`}
      aria-label={t('report.csvOf', { name })}
      className="inline-flex min-h-11 items-center gap-1.5 rounded-lg px-3 text-sm font-medium text-brand hover:bg-brand-soft"
    >
      <Download aria-hidden size={16} />
      CSV
    </a>
  )
}
