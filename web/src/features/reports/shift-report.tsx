import { type Shift, shiftsList } from 'kasir-client'
import { Wallet } from 'lucide-react'
import { callPage, PAGE_ROWS } from '../../office/call-page.ts'
import type { Column } from '../../office/list/column.ts'
import { ListPage } from '../../office/list/list-page.tsx'
import { useOfficeSearch } from '../../office/search-state.ts'
import { StateMark } from '../../office/state-mark.tsx'
import { useAllOutletOptions, useOutletName } from '../../office/use-outlet-options.ts'
import { outletZone } from '../../offline/shop.ts'
import { useOfficeTexts } from '../../texts/office/texts.ts'
import { formatAmount, formatRupiah } from '../../ui/rupiah.ts'
import { formatMoment } from '../../ui/time.ts'

/** Every shift, the latest first, with the difference between the counted and the expected cash. */
export function ShiftReport() {
  const t = useOfficeTexts()
  const outlets = useAllOutletOptions()
  const [{ outlet, state }] = useOfficeSearch()
  const status = state === 'OPEN' || state === 'CLOSED' ? state : undefined
  return (
    <ListPage
      title={t('report.shifts')}
      columns={useColumns()}
      idOf={({ id }) => id}
      open={({ id }) => ({ id })}
      source={{
        key: ['shifts', 'all', outlet, status],
        read: (cursor) =>
          callPage(
            shiftsList,
            {
              limit: PAGE_ROWS,
              ...(cursor !== null && { cursor }),
              ...(outlet && { outletId: outlet }),
              ...(status && { status }),
            },
            (shifts) => shifts,
          ),
      }}
      filters={[
        { key: 'outlet', label: t('outlet'), options: outlets },
        {
          key: 'state',
          label: t('state'),
          options: (['OPEN', 'CLOSED'] as const).map((value) => ({
            value,
            text: t(`report.shift.${value}`),
          })),
        },
      ]}
      empty={{ icon: Wallet, title: t('report.noShifts'), text: t('report.noShiftsText') }}
    />
  )
}

function useColumns(): readonly Column<Shift>[] {
  const t = useOfficeTexts()
  const outletName = useOutletName()
  return [
    {
      key: 'opened',
      title: t('report.shift.opened'),
      cell: ({ openedAt, cashierName, outletId }) => (
        <span className="grid min-w-0">
          <span>{formatMoment(openedAt, outletZone(outletId))}</span>
          <span className="text-xs font-normal text-muted">{cashierName}</span>
        </span>
      ),
    },
    { key: 'outlet', title: t('outlet'), from: 'md', cell: ({ outletId }) => outletName(outletId) },
    {
      key: 'expected',
      title: t('shift.expected'),
      from: 'sm',
      isAmount: true,
      cell: ({ expectedCash }) => formatAmount(expectedCash),
    },
    {
      key: 'counted',
      title: t('shift.counted'),
      from: 'sm',
      isAmount: true,
      cell: ({ countedCash }) => (countedCash === null ? '–' : formatAmount(countedCash)),
    },
    {
      key: 'difference',
      title: t('report.shift.difference'),
      cell: (shift) => <DifferenceMark shift={shift} />,
    },
  ]
}

/** How the count of the cash ended, in one word or amount. */
export function DifferenceMark({
  shift: { status, difference },
}: {
  shift: Pick<Shift, 'status' | 'difference'>
}) {
  const t = useOfficeTexts()
  if (status === 'OPEN') return <StateMark look="warn">{t('report.shift.OPEN')}</StateMark>
  if (difference === null || difference === 0)
    return <StateMark look="good">{t('report.shift.fits')}</StateMark>
  return (
    <StateMark look={difference < 0 ? 'danger' : 'warn'}>
      {difference > 0 ? '+' : ''}
      {formatRupiah(difference)}
    </StateMark>
  )
}
