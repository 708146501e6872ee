import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { membersList, type Printer, printersListDrawerKicks, printersOpenDrawer } from 'kasir-client'
import { type KeyboardEvent, useState } from 'react'
import { call } from '../../app/service.ts'
import { callPage } from '../../office/call-page.ts'
import { May, useMay } from '../../office/may.tsx'
import { Panel } from '../../office/panel.tsx'
import { useOfficeTexts } from '../../texts/office/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Field } from '../../ui/field.tsx'
import { formatMoment } from '../../ui/time.ts'

const SHOWN = 10

/** Opens the drawer without a sale, for a reason that is recorded, and shows the last openings. */
export function DrawerPanel({ printer: { id } }: { printer: Printer }) {
  const t = useOfficeTexts()
  const may = useMay()
  const queries = useQueryClient()
  const [reason, setReason] = useState('')
  const kicks = useQuery({
    queryKey: ['drawerKicks', id],
    queryFn: async () => (await callPage(printersListDrawerKicks, { id, limit: SHOWN }, (rows) => rows)).rows,
  })
  const members = useQuery({
    queryKey: ['members'],
    queryFn: async () => (await call(membersList)).members,
    enabled: may('members.list'),
  })
  const opening = useMutation({
    mutationFn: () => call(printersOpenDrawer, { id, reason: reason.trim() }),
    onSuccess: () => {
      setReason('')
      void queries.invalidateQueries({ queryKey: ['drawerKicks', id] })
    },
  })
  const openOnEnter = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return
    // The field is inside the form of the printer.
    event.preventDefault()
    if (reason.trim() !== '' && !opening.isPending) opening.mutate()
  }
  const by = (memberId: string) => members.data?.find((each) => each.id === memberId)?.name
  return (
    <Panel title={t('drawer')} error={kicks.error}>
      <div className="grid gap-3 p-4">
        <May route="printers.openDrawer">
          <div className="flex flex-wrap items-end gap-3">
            <div className="min-w-48 flex-1">
              <Field
                label={t('drawer.reason')}
                value={reason}
                maxLength={300}
                onChange={({ target }) => setReason(target.value)}
                onKeyDown={openOnEnter}
              />
            </div>
            <Button disabled={reason.trim() === '' || opening.isPending} onClick={() => opening.mutate()}>
              {t('drawer.open')}
            </Button>
          </div>
        </May>
        <Failure error={opening.error} />
        {kicks.data?.length === 0 && <p className="text-sm text-muted">{t('drawer.none')}</p>}
        <ul aria-label={t('drawer.openings')} className="divide-y text-sm">
          {kicks.data?.map((kick) => (
            <li key={kick.id} className="flex flex-wrap gap-x-3 py-2">
              <span className="min-w-40 flex-1 wrap-anywhere">{kick.reason}</span>
              <span className="text-muted">
                {[by(kick.memberId), formatMoment(kick.createdAt)]
                  .filter((part) => part !== undefined)
                  .join(' · ')}
              </span>
            </li>
          ))}
        </ul>
      </div>
    </Panel>
  )
}
