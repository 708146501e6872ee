import { useQuery } from '@tanstack/react-query'
import { type Printer, type PrintJob, printersList, tillsList } from 'kasir-client'
import { Plus, Printer as PrinterIcon } from 'lucide-react'
import { call } from '../../app/service.ts'
import type { Column } from '../../office/list/column.ts'
import { ListPage } from '../../office/list/list-page.tsx'
import { May } from '../../office/may.tsx'
import { useOfficeSearch } from '../../office/search-state.ts'
import { useAllOutletOptions, useOutletName } from '../../office/use-outlet-options.ts'
import { useOfficeTexts } from '../../texts/office/texts.ts'
import { Button } from '../../ui/button.tsx'
import { JobState } from './job-state.tsx'
import { JOBS_EVERY_MS, readLastJobs } from './printer-data.ts'

/** The printers with how their last job ended. */
export function PrinterList() {
  const t = useOfficeTexts()
  const outlets = useAllOutletOptions()
  const [{ outlet }, setAddress] = useOfficeSearch()
  const create = (
    <May route="printers.create">
      <Button look="primary" onClick={() => void setAddress({ id: 'new' })}>
        <Plus aria-hidden size={20} />
        {t('printer.new')}
      </Button>
    </May>
  )
  return (
    <ListPage
      title={t('printers')}
      columns={useColumns()}
      idOf={({ id }) => id}
      open={({ id }) => ({ id })}
      source={{
        key: ['printers', 'list', outlet],
        read: async () => ({
          rows: (await call(printersList, outlet === undefined ? {} : { outletId: outlet })).printers,
          cursor: null,
        }),
      }}
      filters={outlets.length > 1 ? [{ key: 'outlet', label: t('outlet'), options: outlets }] : []}
      actions={create}
      empty={{ icon: PrinterIcon, title: t('printer.empty'), text: t('printer.emptyText'), action: create }}
    />
  )
}

function useColumns(): readonly Column<Printer>[] {
  const t = useOfficeTexts()
  const outletName = useOutletName()
  const tills = useQuery({ queryKey: ['tills'], queryFn: async () => (await call(tillsList)).tills })
  const jobs = useQuery({
    queryKey: ['printJobs', 'last'],
    queryFn: readLastJobs,
    refetchInterval: JOBS_EVERY_MS,
  })
  const last = new Map<string, PrintJob>()
  for (const job of jobs.data ?? []) if (!last.has(job.printerId)) last.set(job.printerId, job)
  const placeOf = ({ kind, host, port, tillId }: Printer) =>
    kind === 'NETWORK'
      ? `${host}:${port}`
      : t('printer.atTill', { name: tills.data?.find(({ id }) => id === tillId)?.name ?? '–' })
  return [
    {
      key: 'name',
      title: t('printer'),
      sortBy: ({ name }) => name,
      cell: (printer) => (
        <span className="grid min-w-0">
          {printer.name}
          <span className="text-xs font-normal text-muted">{placeOf(printer)}</span>
        </span>
      ),
    },
    { key: 'outlet', title: t('outlet'), from: 'md', cell: ({ outletId }) => outletName(outletId) },
    {
      key: 'stations',
      title: t('printer.stations'),
      from: 'sm',
      cell: ({ stations }) => <span className="wrap-anywhere">{stations.join(', ') || '–'}</span>,
    },
    {
      key: 'last',
      title: t('printer.lastJob'),
      cell: ({ id }) => {
        const job = last.get(id)
        return job === undefined ? '–' : <JobState job={job} />
      },
    },
  ]
}
