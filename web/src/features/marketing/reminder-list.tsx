import { abandonedCartListReminders, type CartReminder } from 'kasir-client'
import { MailCheck } from 'lucide-react'
import { call } from '../../app/service.ts'
import type { Column } from '../../office/list/column.ts'
import { ListPage } from '../../office/list/list-page.tsx'
import { ModuleFailure } from '../../office/module-gate.tsx'
import { StateMark } from '../../office/state-mark.tsx'
import { type MarketingTranslate, useMarketingTexts } from '../../texts/marketing/texts.ts'
import { useOfficeTexts } from '../../texts/office/texts.ts'
import { formatRupiah } from '../../ui/rupiah.ts'
import { formatMoment } from '../../ui/time.ts'

/** The most reminders that the service answers. */
const LATEST = 200

/** The latest reminders, newest first. */
export function ReminderList() {
  const t = useOfficeTexts()
  const m = useMarketingTexts()
  return (
    <ListPage
      title={m('reminders')}
      columns={columnsIn(m, t('state'))}
      idOf={({ id }) => id}
      source={{
        key: ['cartReminders'],
        read: async () => ({
          rows: (await call(abandonedCartListReminders, { limit: LATEST })).reminders,
          cursor: null,
        }),
        most: LATEST,
      }}
      ErrorView={ModuleFailure}
      empty={{ icon: MailCheck, title: m('reminder.empty'), text: m('reminder.emptyText') }}
    />
  )
}

const LOOKS = { scheduled: 'warn', sent: 'good', recovered: 'good', failed: 'danger' } as const

const columnsIn = (m: MarketingTranslate, state: string): readonly Column<CartReminder>[] => [
  {
    key: 'email',
    title: m('reminder.email'),
    cell: ({ email }) => <span className="break-all">{email ?? m('reminder.noEmail')}</span>,
  },
  {
    key: 'time',
    title: m('reminder.time'),
    from: 'sm',
    sortBy: ({ sentAt, scheduledAt }) => sentAt ?? scheduledAt,
    cell: ({ sentAt, scheduledAt }) => formatMoment(sentAt ?? scheduledAt),
  },
  {
    key: 'total',
    title: m('reminder.total'),
    isAmount: true,
    sortBy: ({ cartTotal }) => cartTotal,
    cell: ({ cartTotal }) => formatRupiah(cartTotal),
  },
  {
    key: 'state',
    title: state,
    cell: ({ status }) => <StateMark look={LOOKS[status]}>{m(`reminder.${status}`)}</StateMark>,
  },
]
