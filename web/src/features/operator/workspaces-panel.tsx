import { useInfiniteQuery } from '@tanstack/react-query'
import type { OperatorWorkspace } from 'kasir-client'
import { type FigureColumn, FigureTable } from '../../office/figure-table.tsx'
import { Panel } from '../../office/panel.tsx'
import { useOperatorTexts } from '../../texts/operator/texts.ts'
import { Button } from '../../ui/button.tsx'
import { formatMoment } from '../../ui/time.ts'
import { formatCount, formatDay } from './format.ts'
import { listWorkspaces } from './operator-service.ts'

/** Every workspace of the installation, newest first. */
export function WorkspacesPanel() {
  const t = useOperatorTexts()
  const { data, error, hasNextPage, isFetchingNextPage, isPending, fetchNextPage } = useInfiniteQuery({
    queryKey: ['operator', 'workspaces'],
    queryFn: ({ pageParam }) => listWorkspaces(pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: ({ cursor }) => cursor,
  })
  const rows = data?.pages.flatMap(({ workspaces }) => workspaces) ?? []
  const columns: FigureColumn<OperatorWorkspace>[] = [
    {
      key: 'name',
      title: t('workspaces.name'),
      cell: ({ id, name }) => (
        <>
          <span className="font-medium wrap-anywhere">{name}</span>
          <span className="block text-xs break-all text-muted">{id}</span>
        </>
      ),
    },
    {
      key: 'members',
      title: t('workspaces.members'),
      from: 'sm',
      cell: ({ members }) => formatCount(members),
    },
    {
      key: 'sales',
      title: t('workspaces.sales'),
      cell: ({ salesLast30Days }) => formatCount(salesLast30Days),
    },
    {
      key: 'createdAt',
      title: t('workspaces.createdAt'),
      from: 'md',
      cell: ({ createdAt }) => formatDay(createdAt),
    },
    {
      key: 'lastActiveAt',
      title: t('workspaces.lastActiveAt'),
      from: 'sm',
      cell: ({ lastActiveAt }) => (lastActiveAt === null ? '–' : formatMoment(lastActiveAt)),
    },
  ]
  return (
    <Panel title={t('workspaces.title')} error={error}>
      {!isPending && (
        <FigureTable
          label={t('workspaces.title')}
          rows={rows}
          columns={columns}
          idOf={({ id }) => id}
          totalLabel=""
          nothing={t('workspaces.none')}
        />
      )}
      {hasNextPage && (
        <div className="border-t p-3">
          <Button disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {t('workspaces.more')}
          </Button>
        </div>
      )}
    </Panel>
  )
}
