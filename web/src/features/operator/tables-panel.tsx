import type { OperatorOverview } from 'kasir-client'
import { type FigureColumn, FigureTable } from '../../office/figure-table.tsx'
import { Panel } from '../../office/panel.tsx'
import { useOperatorTexts } from '../../texts/operator/texts.ts'
import { formatBytes, formatCount } from './format.ts'

type Database = OperatorOverview['database']
type Table = Database['tables'][number]

export function TablesPanel({ database: { tables, isSharded } }: { database: Database }) {
  const t = useOperatorTexts()
  const columns: FigureColumn<Table>[] = [
    {
      key: 'name',
      title: t('tables.name'),
      cell: ({ name }) => <span className="wrap-anywhere">{name}</span>,
    },
    {
      key: 'rows',
      title: t('tables.rows'),
      from: 'sm',
      cell: ({ rows }) => (rows === null ? '–' : formatCount(rows)),
    },
    { key: 'size', title: t('tables.size'), cell: ({ bytes }) => formatBytes(bytes) },
  ]
  return (
    <Panel title={t('tables.title')}>
      {isSharded && <p className="px-4 py-3 text-sm text-muted">{t('tables.coordinator')}</p>}
      <FigureTable
        label={t('tables.title')}
        rows={tables}
        columns={columns}
        idOf={({ name }) => name}
        totalLabel=""
        nothing=""
      />
    </Panel>
  )
}
