import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type CustomerGroup, customerGroupsAssign } from 'kasir-client'
import { UserRoundPlus } from 'lucide-react'
import { type KeyboardEvent, useState } from 'react'
import { call } from '../../app/service.ts'
import { instantAt } from '../../office/days.ts'
import { zoneName, zoneOf } from '../../office/outlet-zone.ts'
import { Panel } from '../../office/panel.tsx'
import { useOfficeTexts } from '../../texts/office/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Field } from '../../ui/field.tsx'
import { MoneyField } from '../../ui/money-field.tsx'

const startOf = (day: string) => instantAt(zoneOf(), `${day}T00:00`)

/** Adds the customers that meet every condition at this moment (B-group-3). */
export function GroupAssign({ group: { id }, onChange }: { group: CustomerGroup; onChange(): void }) {
  const t = useOfficeTexts()
  const queries = useQueryClient()
  const [spent, setSpent] = useState<number | null>(null)
  const [since, setSince] = useState('')
  const [notSince, setNotSince] = useState('')
  const assign = useMutation({
    mutationFn: () =>
      call(customerGroupsAssign, {
        id,
        ...(spent !== null && { spentAtLeast: spent }),
        ...(since !== '' && { visitedSince: startOf(since) }),
        ...(notSince !== '' && { notVisitedSince: startOf(notSince) }),
      }),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: ['customerGroups'] })
      onChange()
    },
  })
  const hint = t('zone.hint', { zone: zoneName() })
  const isNothing = spent === null && since === '' && notSince === ''
  const assignOnEnter = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return
    // The fields are inside the form of the group.
    event.preventDefault()
    if (!isNothing && !assign.isPending) assign.mutate()
  }
  return (
    <Panel title={t('group.assign')}>
      <div className="grid gap-3 p-4">
        <p className="text-sm text-muted">{t('group.assignText')}</p>
        <div className="grid gap-3 sm:grid-cols-3">
          <MoneyField label={t('group.spent')} value={spent} onValue={setSpent} onKeyDown={assignOnEnter} />
          <Field
            type="date"
            label={t('group.visited')}
            hint={hint}
            value={since}
            onChange={({ target }) => setSince(target.value)}
            onKeyDown={assignOnEnter}
          />
          <Field
            type="date"
            label={t('group.notVisited')}
            hint={hint}
            value={notSince}
            onChange={({ target }) => setNotSince(target.value)}
            onKeyDown={assignOnEnter}
          />
        </div>
        <div className="flex flex-wrap items-center gap-3">
          <Button disabled={isNothing || assign.isPending} onClick={() => assign.mutate()}>
            <UserRoundPlus aria-hidden size={18} />
            {t('group.assignNow')}
          </Button>
          <span role="status" className="text-sm">
            {assign.data && t('group.added', { n: assign.data.added })}
          </span>
        </div>
        <Failure error={assign.error} />
      </div>
    </Panel>
  )
}
