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
  const href = `/api/v1/reports/${path}?${new URLSearchParams({ ...input, format: 'csv' })}`
  return <CsvFileLink href={href} fileName={`${path}.csv`} name={name} />
}

/** Saves a CSV from an address, which may also hold the file itself (`data:`). */
export function CsvFileLink({ href, fileName, name }: { href: string; fileName: string; name: string }) {
  const t = useOfficeTexts()
  return (
    <a
      href={href}
      download={fileName}
      aria-label={t('report.csvOf', { name })}
      className="inline-flex min-h-11 items-center gap-1.5 rounded-lg px-3 text-sm font-medium text-brand hover:bg-brand-soft"
    >
      <Download aria-hidden size={16} />
      CSV
    </a>
  )
}
