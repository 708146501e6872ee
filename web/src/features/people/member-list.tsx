import { type Member, membersList } from 'kasir-client'
import { Plus, UsersRound } from 'lucide-react'
import { call } from '../../app/service.ts'
import type { Column } from '../../office/list/column.ts'
import { ListPage } from '../../office/list/list-page.tsx'
import { May } from '../../office/may.tsx'
import { useOfficeSearch } from '../../office/search-state.ts'
import { StateMark } from '../../office/state-mark.tsx'
import { type OfficeTranslate, useOfficeTexts } from '../../texts/office/texts.ts'
import { Button } from '../../ui/button.tsx'

export function MemberList() {
  const t = useOfficeTexts()
  const [, setAddress] = useOfficeSearch()
  const create = (
    <May route="members.create">
      <Button look="primary" onClick={() => void setAddress({ tab: 'members', id: 'new' })}>
        <Plus aria-hidden size={20} />
        {t('member.new')}
      </Button>
    </May>
  )
  return (
    <ListPage
      title={t('members')}
      columns={columnsIn(t)}
      idOf={({ id }) => id}
      open={({ id }) => ({ tab: 'members', id })}
      source={{
        key: ['members', 'list'],
        read: async () => ({ rows: (await call(membersList)).members, cursor: null }),
      }}
      actions={create}
      empty={{ icon: UsersRound, title: t('member.empty'), text: t('member.emptyText'), action: create }}
    />
  )
}

const columnsIn = (t: OfficeTranslate): readonly Column<Member>[] => [
  {
    key: 'name',
    title: t('member.name'),
    sortBy: ({ name }) => name,
    cell: ({ name, email }) => (
      <span className="grid min-w-0">
        <span className="break-words">{name}</span>
        <span className="text-xs font-normal break-all text-muted">{email}</span>
      </span>
    ),
  },
  { key: 'role', title: t('member.role'), sortBy: ({ role }) => role, cell: ({ role }) => t(`role.${role}`) },
  { key: 'pin', title: t('pin'), from: 'sm', cell: ({ hasPin }) => t(hasPin ? 'yes' : 'no') },
  {
    key: 'factor',
    title: t('member.secondFactor'),
    from: 'md',
    cell: ({ secondFactor }) => t(secondFactor ? 'yes' : 'no'),
  },
  {
    key: 'state',
    title: t('state'),
    from: 'sm',
    cell: ({ status }) => (
      <StateMark look={status === 'ACTIVE' ? 'good' : 'warn'}>{t(`member.${status}`)}</StateMark>
    ),
  },
]
