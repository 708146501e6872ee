import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useBlocker } from '@tanstack/react-router'
import { type StockCountDetail, stockCountsGet } from 'kasir-client'
import { useState } from 'react'
import { call } from '../../../app/service.ts'
import { useSession } from '../../../app/session.ts'
import { LeaveDialog } from '../../../office/form/leave-dialog.tsx'
import { RecordFrame } from '../../../office/record-frame.tsx'
import { RecordState } from '../../../office/record-state.tsx'
import { StateMark } from '../../../office/state-mark.tsx'
import { useOutletName } from '../../../office/use-outlet-options.ts'
import { outletZone } from '../../../offline/shop.ts'
import { useOfficeTexts } from '../../../texts/office/texts.ts'
import { formatMoment } from '../../../ui/time.ts'
import { CountActions, type CountEnding } from './count-actions.tsx'
import { CountEntry } from './count-entry.tsx'
import { CountLines } from './count-lines.tsx'
import { COUNT_LOOKS } from './count-list.tsx'
import { type CountProps, useCounting, type Written } from './use-counting.ts'

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
          {formatMoment(count.createdAt, outletZone(count.outletId))}
          {count.blind && ` · ${t('count.isBlind')}`}
        </>
      }
      aside={<StateMark look={COUNT_LOOKS[count.status]}>{t(`count.${count.status}`)}</StateMark>}
    >
      {count.status === 'OPEN' ? (
        <OpenCount count={count} onCount={onCount} onWritten={onWritten} />
      ) : (
        <CountLines count={count} />
      )}
    </RecordFrame>
  )
}

/** The goods in the form belong to the count: they are saved before it is posted, and not lost without a question. */
function OpenCount({ count, onCount, onWritten }: OneCountProps) {
  const [asked, setAsked] = useState<CountEnding>(null)
  const counting = useCounting({ count, onWritten, isPaused: asked !== null })
  const { now } = counting
  const isUnsaved = now !== null && (now.quantity !== null || now.isUnread === true)
  const blocker = useBlocker({
    shouldBlockFn: () => isUnsaved && useSession.getState().member !== null,
    enableBeforeUnload: () => isUnsaved,
    withResolver: true,
  })
  return (
    <>
      <CountEntry count={count} counting={counting} />
      <CountLines count={count} />
      <CountActions count={count} onCount={onCount} counting={counting} asked={asked} onAsk={setAsked} />
      {blocker.status === 'blocked' && (
        <LeaveDialog
          mayBeSaved={false}
          onStay={blocker.reset}
          onLeave={() => {
            counting.set(null)
            blocker.proceed()
          }}
        />
      )}
    </>
  )
}
