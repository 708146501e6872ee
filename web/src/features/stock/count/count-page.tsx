import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type StockCountDetail, stockCountsGet } from 'kasir-client'
import { call } from '../../../app/service.ts'
import { RecordFrame } from '../../../office/record-frame.tsx'
import { RecordState } from '../../../office/record-state.tsx'
import { StateMark } from '../../../office/state-mark.tsx'
import { useOutletName } from '../../../office/use-outlet-options.ts'
import { useOfficeTexts } from '../../../texts/office/texts.ts'
import { formatMoment } from '../../../ui/time.ts'
import { CountActions } from './count-actions.tsx'
import { CountEntry } from './count-entry.tsx'
import { CountLines } from './count-lines.tsx'
import { COUNT_LOOKS } from './count-list.tsx'
import type { CountProps, Written } from './use-counting.ts'

/** Another device may count at the same time. Thousands of lines are read less often. */
const everyMs = ({ lines }: StockCountDetail) => (lines.length > 500 ? 60_000 : 5_000)

/** The written lines replace those of the same goods. */
const withLines = (count: StockCountDetail, { stockCount, lines }: Written): StockCountDetail => {
  const written = new Set(lines.map(({ variantId }) => variantId))
  const others = count.lines.filter(({ variantId }) => !written.has(variantId))
  return { ...stockCount, lines: [...others, ...lines] }
}

/** A count: the form for the next line, the counted lines, and the buttons that end it. */
export function CountPage({ id }: { id: string }) {
  const queries = useQueryClient()
  const key = ['stockCount', id]
  const count = useQuery({
    queryKey: key,
    queryFn: async () => (await call(stockCountsGet, { id })).stockCount,
    refetchInterval: ({ state: { data } }) => (data?.status === 'OPEN' ? everyMs(data) : false),
  })
  if (!count.data) return <RecordState query={count} />
  const take = (next: StockCountDetail) => {
    queries.setQueryData(key, next)
    void queries.invalidateQueries({ queryKey: ['stockCounts'] })
    if (next.status === 'POSTED') {
      void queries.invalidateQueries({ queryKey: ['levels'] })
      void queries.invalidateQueries({ queryKey: ['movements'] })
    }
  }
  const add = async (written: Written) => {
    // An answer from before these lines must not replace them.
    await queries.cancelQueries({ queryKey: key })
    queries.setQueryData<StockCountDetail>(key, (now) => now && withLines(now, written))
    void queries.invalidateQueries({ queryKey: ['stockCounts'] })
  }
  return <OneCount count={count.data} onCount={take} onWritten={(written) => void add(written)} />
}

type OneCountProps = CountProps & { onCount(next: StockCountDetail): void }

function OneCount({ count, onCount, onWritten }: OneCountProps) {
  const t = useOfficeTexts()
  const outletName = useOutletName()
  return (
    <RecordFrame
      title={t('count.of', { outlet: outletName(count.outletId) })}
      subtitle={
        <>
          {formatMoment(count.createdAt)}
          {count.blind && ` · ${t('count.isBlind')}`}
        </>
      }
      aside={<StateMark look={COUNT_LOOKS[count.status]}>{t(`count.${count.status}`)}</StateMark>}
    >
      {count.status === 'OPEN' && <CountEntry count={count} onWritten={onWritten} />}
      <CountLines count={count} />
      {count.status === 'OPEN' && <CountActions count={count} onCount={onCount} />}
    </RecordFrame>
  )
}
