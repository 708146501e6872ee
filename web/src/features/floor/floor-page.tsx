import { Armchair } from 'lucide-react'
import { useCallback, useState } from 'react'
import { LostBand } from '../../app/lost-band.tsx'
import { useSession } from '../../app/session.ts'
import { useOutlet } from '../../offline/shop.ts'
import { useTexts } from '../../texts/texts.ts'
import { Empty } from '../../ui/empty.tsx'
import { Failure } from '../../ui/failure.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { Notice } from '../../ui/notice.tsx'
import { isArranged, type TableState, useFloorData } from './floor-data.ts'
import { FloorHead } from './floor-head.tsx'
import { useFloorStore } from './floor-store.ts'
import { mapDraftOf } from './map-draft.ts'
import { NewsBar } from './news-bar.tsx'
import { type FloorNews, TableDialog } from './table-dialog.tsx'
import { TableList, TableMap } from './table-views.tsx'
import { useLeaving } from './use-leaving.ts'
import { useTableTaps } from './use-table-taps.ts'

const ArrangePage = lazyPart(() => import('./arrange-page.tsx').then((file) => file.ArrangePage))

const isPhone = () => window.matchMedia('(max-width: 40rem)').matches

/** The tables of an outlet with their state. */
export function FloorPage() {
  const t = useTexts()
  const outlet = useOutlet()
  const { floors, states, isRead, error } = useFloorData(outlet?.id)
  const { floorId, view, chooseFloor } = useFloorStore()
  const mayArrange = useSession((session) => session.member !== null && session.member.role !== 'CASHIER')
  const taps = useTableTaps()
  const [isArranging, setArranging] = useState(false)
  const [news, setNews] = useState<FloorNews | null>(null)
  const endNews = useCallback(() => setNews(null), [])

  const floor = floors.find(({ id }) => id === floorId) ?? floors[0]
  const shownId = floor?.id
  const { leave, question, setUnsaved } = useLeaving(() => shownId && mapDraftOf(shownId).drop())
  const [knownId, setKnownId] = useState<string>()
  if (shownId !== knownId) {
    setKnownId(shownId)
    // The till was locked, or another outlet was chosen, before the map was saved.
    if (mayArrange && shownId !== undefined && mapDraftOf(shownId).read() !== null) setArranging(true)
  }
  const shown = states.filter(({ table }) => floor === undefined || table.floorId === floor.id)
  const tables = shown.map(({ table }) => table)
  const canMap = shown.length > 0 && isArranged(tables)
  const shownView = canMap ? (view ?? (isPhone() ? 'list' : 'map')) : null
  const used = states.filter(({ table }) => table.occupied).length
  const options = states.find(({ table }) => table.id === taps.optionsId)
  const viewProps = {
    states: shown,
    onOpen: taps.open,
    onOptions: ({ table }: TableState) => taps.showOptions(table.id),
  }
  return (
    <div className="flex h-full flex-col">
      <LostBand />
      <FloorHead
        floors={floors}
        floor={floor}
        onFloor={(id) => leave(() => chooseFloor(id))}
        view={isArranging ? null : shownView}
        used={used}
        free={states.length - used}
        onArrange={mayArrange && !isArranging ? () => setArranging(true) : null}
      />
      <div className="grid min-h-0 flex-1 grid-rows-[auto_1fr] overflow-y-auto p-2 sm:p-3">
        <div className="grid gap-2 not-empty:mb-2">
          {taps.isRefused && <Notice text={t('bills.cartFirst')} />}
          <Failure error={taps.error ?? error} />
        </div>
        {isArranging && outlet !== undefined && (
          <ArrangePage
            outletId={outlet.id}
            floor={floor}
            tables={tables}
            question={question}
            onUnsaved={setUnsaved}
            onFloor={(id) => leave(() => chooseFloor(id))}
            onDone={() => leave(() => setArranging(false))}
          />
        )}
        {!isArranging && isRead && shown.length === 0 && (
          <Empty icon={Armchair} title={t('floor.empty')} text={t('floor.emptyHint')} />
        )}
        {!isArranging &&
          shown.length > 0 &&
          (shownView === 'map' ? <TableMap {...viewProps} /> : <TableList {...viewProps} />)}
      </div>
      {news !== null && <NewsBar news={news} onEnd={endNews} />}
      {options !== undefined && (
        <TableDialog
          table={options.table}
          states={states}
          isCartFull={taps.isCartFull}
          onClose={() => taps.showOptions(null)}
          onNewBill={() => taps.begin(options)}
          onOpenBill={taps.openBill}
          onDone={(done) => {
            taps.showOptions(null)
            setNews(done)
          }}
        />
      )}
    </div>
  )
}
