import { useQueryClient } from '@tanstack/react-query'
import { type Till, tillsList, tillsRevoke } from 'kasir-client'
import { MonitorCheck } from 'lucide-react'
import { call } from '../../app/service.ts'
import { DeleteButton } from '../../office/delete-button.tsx'
import type { Column } from '../../office/list/column.ts'
import { ListPage } from '../../office/list/list-page.tsx'
import { useOutletName } from '../../office/use-outlet-options.ts'
import { useOfficeTexts } from '../../texts/office/texts.ts'
import { formatMoment } from '../../ui/time.ts'

/** The enrolled tills. A device is enrolled in its own member menu. */
export function TillList() {
  const t = useOfficeTexts()
  const outletName = useOutletName()
  const queries = useQueryClient()
  const columns: readonly Column<Till>[] = [
    { key: 'name', title: t('till.name'), sortBy: ({ name }) => name, cell: ({ name }) => name },
    {
      key: 'outlet',
      title: t('outlet'),
      from: 'sm',
      cell: ({ outletId }) => outletName(outletId),
    },
    {
      key: 'seen',
      title: t('till.lastSeen'),
      sortBy: ({ lastSeenAt }) => lastSeenAt,
      cell: ({ lastSeenAt }) => formatMoment(lastSeenAt),
    },
    {
      key: 'revoke',
      title: t('till.revoke'),
      isAmount: true,
      cell: ({ id, name }) => (
        <DeleteButton
          route="tills.revoke"
          name={name}
          label={t('till.revoke')}
          text={t('till.revokeText')}
          remove={() => call(tillsRevoke, { id })}
          onDone={() => void queries.invalidateQueries({ queryKey: ['tills'] })}
        />
      ),
    },
  ]
  return (
    <ListPage
      title={t('tills')}
      columns={columns}
      idOf={({ id }) => id}
      source={{
        key: ['tills', 'list'],
        read: async () => ({ rows: (await call(tillsList)).tills, cursor: null }),
      }}
      empty={{ icon: MonitorCheck, title: t('till.empty'), text: t('till.emptyText') }}
    />
  )
}
