import { useQueryClient } from '@tanstack/react-query'
import { type ApiKey, apiKeysList, apiKeysRevoke } from 'kasir-client'
import { KeyRound, Plus } from 'lucide-react'
import { call } from '../../app/service.ts'
import { DeleteButton } from '../../office/delete-button.tsx'
import type { Column } from '../../office/list/column.ts'
import { ListPage } from '../../office/list/list-page.tsx'
import { May } from '../../office/may.tsx'
import { useOfficeSearch } from '../../office/search-state.ts'
import { StateMark } from '../../office/state-mark.tsx'
import { useOfficeTexts } from '../../texts/office/texts.ts'
import { Button } from '../../ui/button.tsx'
import { formatMoment } from '../../ui/time.ts'

export function KeyList() {
  const t = useOfficeTexts()
  const queries = useQueryClient()
  const [, setAddress] = useOfficeSearch()
  const create = (
    <May route="apiKeys.create">
      <Button look="primary" onClick={() => void setAddress({ tab: 'keys', id: 'new' })}>
        <Plus aria-hidden size={20} />
        {t('key.new')}
      </Button>
    </May>
  )
  const columns: readonly Column<ApiKey>[] = [
    {
      key: 'name',
      title: t('key.name'),
      sortBy: ({ name }) => name,
      cell: ({ name, prefix, last4 }) => (
        <span className="grid min-w-0">
          <span className="break-words">{name}</span>
          <span className="font-mono text-xs font-normal break-all text-muted">
            {prefix}…{last4}
          </span>
        </span>
      ),
    },
    {
      key: 'rights',
      title: t('key.rights'),
      from: 'sm',
      cell: ({ readOnly }) => t(readOnly ? 'key.readOnly' : 'key.writes'),
    },
    {
      key: 'creator',
      title: t('key.creator'),
      from: 'md',
      cell: ({ createdByName, creatorLeft }) => (
        <span className="grid min-w-0">
          <span className="break-words">{createdByName ?? '–'}</span>
          {creatorLeft && <span className="text-xs text-warn">{t('key.creatorLeft')}</span>}
        </span>
      ),
    },
    {
      key: 'used',
      title: t('key.lastUsed'),
      from: 'md',
      cell: ({ lastUsedAt }) => (lastUsedAt === null ? t('key.neverUsed') : formatMoment(lastUsedAt)),
    },
    {
      key: 'state',
      title: t('state'),
      isAmount: true,
      cell: ({ id, name, revokedAt }) =>
        revokedAt === null ? (
          <DeleteButton
            route="apiKeys.revoke"
            name={name}
            label={t('key.revoke')}
            text={t('key.revokeText')}
            remove={() => call(apiKeysRevoke, { id })}
            onDone={() => void queries.invalidateQueries({ queryKey: ['apiKeys'] })}
          />
        ) : (
          <StateMark look="muted">{t('key.revoked')}</StateMark>
        ),
    },
  ]
  return (
    <ListPage
      title={t('keys')}
      columns={columns}
      idOf={({ id }) => id}
      source={{
        key: ['apiKeys', 'list'],
        read: async () => ({ rows: (await call(apiKeysList)).apiKeys, cursor: null }),
      }}
      actions={create}
      empty={{ icon: KeyRound, title: t('key.empty'), text: t('key.emptyText'), action: create }}
    />
  )
}
