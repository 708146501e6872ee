import { kitchenListReady, type ServeGroup, type TicketItem } from 'kasir-client'
import { ConciergeBell } from 'lucide-react'
import { useBoard } from '../../app/live.ts'
import { LostBand } from '../../app/lost-band.tsx'
import { call } from '../../app/service.ts'
import { useOutlet } from '../../offline/shop.ts'
import { boardQuantity } from '../../selling/quantity.ts'
import { useTexts } from '../../texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Failure } from '../../ui/failure.tsx'
import { BoardHead } from './board-head.tsx'
import { ItemDetails, nameOf } from './ticket-item.tsx'
import { useBoardKeys } from './use-board-keys.ts'
import { type Step, useSteps } from './use-steps.ts'

const isReady = ({ status }: TicketItem) => status === 'READY'

/** One step for each sale whose dishes go to the table together. */
function serveSteps(items: readonly TicketItem[]): Step[] {
  const bySale = new Map<string, string[]>()
  for (const { id, saleId } of items) bySale.set(saleId, [...(bySale.get(saleId) ?? []), id])
  return [...bySale].map(([saleId, itemIds]) => ({ saleId, itemIds, from: 'READY' }))
}

/** The serve board: what is ready, by table. */
export function ServePage() {
  const t = useTexts()
  const outlet = useOutlet()
  const board = useBoard({
    board: 'serve',
    outletId: outlet?.id,
    fetch: (outletId) => call(kitchenListReady, { outletId }).then(({ groups }) => groups),
  })
  const { advance, undo, canUndo, error } = useSteps(outlet?.id)
  useBoardKeys(() => void undo())
  const groups = (board.data ?? []).filter(({ items }) => items.some(isReady))
  return (
    <div className="flex h-full flex-col">
      <LostBand />
      <BoardHead title={t('serve')} canUndo={canUndo} onUndo={() => void undo()} />
      <div className="min-h-0 flex-1 overflow-y-auto p-2 sm:p-3">
        <Failure error={error ?? (board.data === undefined ? board.error : null)} />
        {board.isSuccess && groups.length === 0 && (
          <Empty icon={ConciergeBell} title={t('serve.empty')} text={t('serve.emptyHint')} />
        )}
        <ul
          aria-label={t('serve.groups')}
          className="grid grid-cols-[repeat(auto-fill,minmax(min(22rem,100%),1fr))] items-start gap-2 sm:gap-3"
        >
          {groups.map((group) => (
            <li key={group.tableId ?? group.saleId}>
              <GroupCard group={group} onServe={(items) => void advance(serveSteps(items))} />
            </li>
          ))}
        </ul>
      </div>
    </div>
  )
}

function GroupCard({ group, onServe }: { group: ServeGroup; onServe(items: readonly TicketItem[]): void }) {
  const t = useTexts()
  const place = group.tableLabel ?? t(`orderType.${group.orderType}`)
  const name = group.tableId === null ? `${place} ${group.number}` : place
  const ready = group.items.filter(isReady)
  const cooking = group.items.length - ready.length
  return (
    <article aria-label={name} className="rounded-2xl border bg-panel">
      <header className="border-b px-4 py-2">
        <p className="text-2xl leading-tight font-bold break-words">{place}</p>
        {group.tableId === null && <p className="text-base text-muted tabular-nums">{group.number}</p>}
        {cooking > 0 && <p className="text-base text-muted">{t('serve.cooking', { n: cooking })}</p>}
      </header>
      <ul aria-label={name} className="grid gap-2 p-2">
        {ready.map((item) => (
          <li key={item.id}>
            <Button
              content="start"
              className="min-h-16 w-full py-2 text-left text-2xl"
              onClick={() => onServe([item])}
            >
              <span className="min-w-0 flex-1 break-words">
                <span className="sr-only">{t('kitchen.serve')} </span>
                <span className="tabular-nums">{boardQuantity(item, item.quantity)}</span> {nameOf(item)}
                <ItemDetails item={item} />
              </span>
            </Button>
          </li>
        ))}
      </ul>
      <div className="p-2 pt-0">
        <Button
          data-bump
          look="primary"
          size="large"
          className="w-full text-xl!"
          onClick={() => onServe(ready)}
        >
          {t('serve.all')}
        </Button>
      </div>
    </article>
  )
}
