import { kitchenListTickets, type Ticket } from 'kasir-client'
import { ChefHat } from 'lucide-react'
import { useCallback, useMemo, useState } from 'react'
import { useBoard } from '../../app/live.ts'
import { LostBand } from '../../app/lost-band.tsx'
import { call } from '../../app/service.ts'
import { useOutlet } from '../../offline/shop.ts'
import { useTexts } from '../../texts/texts.ts'
import { Empty } from '../../ui/empty.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { BoardHead, SoundButton } from './board-head.tsx'
import { useKitchenBoard } from './board-store.ts'
import { TicketCard } from './ticket-card.tsx'
import { boardOf, stationsOf } from './tickets.ts'
import { useBoardKeys, useWakeLock } from './use-board-keys.ts'
import { useGoneTickets } from './use-gone.ts'
import { useNews } from './use-news.ts'
import { type Step, useSteps } from './use-steps.ts'

const NO_TICKETS: readonly Ticket[] = []

/** The kitchen board: every order with its dishes, the oldest first. */
export function KitchenPage() {
  const t = useTexts()
  const outlet = useOutlet()
  const board = useBoard({
    board: 'kds',
    outletId: outlet?.id,
    fetch: (outletId) => call(kitchenListTickets, { outletId }).then(({ tickets }) => tickets),
  })
  const { station, isQuiet, seen, choose, setQuiet, see } = useKitchenBoard()
  const gone = useGoneTickets(board.data)
  const fresh = useNews(board.data, station)
  const { advance, undo, canUndo, error } = useSteps(outlet?.id)
  const [tab, setTab] = useState<'active' | 'ready'>('active')
  useBoardKeys(() => void undo())
  useWakeLock()
  const open = board.data ?? NO_TICKETS
  const { active, ready } = useMemo(
    () => boardOf({ open, gone }, { station, seen: new Set(seen) }),
    [open, gone, station, seen],
  )
  const stations = useMemo(() => stationsOf(open, station), [open, station])
  const onStep = useCallback((steps: readonly Step[]) => void advance(steps), [advance])
  const shown = tab === 'active' ? active : ready
  return (
    <div className="flex h-full flex-col">
      <LostBand />
      <BoardHead title={t('kitchen')} canUndo={canUndo} onUndo={() => void undo()}>
        <Tabs<'active' | 'ready'>
          label={t('kitchen.show')}
          value={tab}
          onValue={setTab}
          options={[
            { value: 'active', text: t('kitchen.active', { n: active.length }) },
            { value: 'ready', text: t('kitchen.ready', { n: ready.length }) },
          ]}
        />
        <SoundButton isQuiet={isQuiet} onQuiet={setQuiet} />
        {stations.length > 0 && (
          <Tabs
            label={t('kitchen.station')}
            value={station}
            onValue={choose}
            options={[
              { value: null, text: t('kitchen.everyStation') },
              ...stations.map((name) => ({ value: name, text: name })),
            ]}
          />
        )}
      </BoardHead>
      <div className="min-h-0 flex-1 overflow-y-auto p-2 sm:p-3">
        <Failure error={error ?? (board.data === undefined ? board.error : null)} />
        {board.isSuccess && shown.length === 0 && (
          <Empty icon={ChefHat} title={t('kitchen.empty')} text={t('kitchen.emptyHint')} />
        )}
        <ul
          aria-label={t('kitchen.tickets')}
          className="grid grid-cols-[repeat(auto-fill,minmax(min(20rem,100%),1fr))] items-start gap-2 sm:gap-3"
        >
          {shown.map((entry) => (
            <li key={entry.ticket.id}>
              <TicketCard entry={entry} isFresh={fresh.has(entry.ticket.id)} onStep={onStep} onSeen={see} />
            </li>
          ))}
        </ul>
      </div>
    </div>
  )
}
