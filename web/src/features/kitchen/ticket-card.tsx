import { memo } from 'react'
import { useTexts } from '../../texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { Age } from './age.tsx'
import { ItemRow } from './ticket-item.tsx'
import { type BoardTicket, stateOf } from './tickets.ts'
import type { Step } from './use-steps.ts'

const BUTTONS = {
  NEW: 'kitchen.start',
  PREPARING: 'kitchen.finish',
  READY: 'kitchen.serve',
  SERVED: 'kitchen.serve',
} as const

type TicketCardProps = {
  entry: BoardTicket
  /** Whether it has just arrived. */
  isFresh: boolean
  onStep(steps: readonly Step[]): void
  onSeen(ids: readonly string[]): void
}

/** A change redraws only the card that has changed, also with 200 orders on the board. */
const isSame = (before: TicketCardProps, now: TicketCardProps) =>
  before.entry.ticket === now.entry.ticket &&
  before.entry.isGone === now.entry.isGone &&
  before.isFresh === now.isFresh &&
  before.onStep === now.onStep &&
  before.entry.items.length === now.entry.items.length &&
  before.entry.items.every((item, at) => item === now.entry.items[at])

/** One order in the kitchen: its dishes, how long it waits, and one button for the next step. */
export const TicketCard = memo(function TicketCard({ entry, isFresh, onStep, onSeen }: TicketCardProps) {
  const t = useTexts()
  const { ticket, items, isGone } = entry
  const place = ticket.tableLabel ?? t(`orderType.${ticket.orderType}`)
  const name = `${place} ${ticket.number}`
  const state = stateOf(items)
  const stepAll = () => {
    if (state === null) return
    const itemIds = items.filter(({ isActive, status }) => isActive && status === state).map(({ id }) => id)
    onStep([{ saleId: ticket.id, itemIds, from: state }])
  }
  return (
    <article
      aria-label={name}
      className={classes(
        'flex flex-col rounded-2xl border bg-panel [contain-intrinsic-size:auto_18rem] [content-visibility:auto]',
        isFresh && 'outline-4 outline-brand',
        isGone && 'border-danger',
      )}
    >
      <header className="flex items-center gap-2 border-b px-4 py-2">
        <span className="min-w-0 flex-1">
          <span className="block text-2xl leading-tight font-bold break-words">{place}</span>
          <span className="text-base text-muted tabular-nums">{ticket.number}</span>
        </span>
        <Age since={ticket.openedAt} />
      </header>
      {isGone && (
        <p className="bg-danger-soft px-4 py-2 text-xl font-bold text-danger">
          {t('kitchen.orderCancelled')}
        </p>
      )}
      {ticket.note && <p className="px-4 pt-2 text-xl break-words text-warn">{ticket.note}</p>}
      <ul aria-label={name} className="flex-1 p-1">
        {items.map((item) => (
          <ItemRow
            key={item.id}
            item={item}
            isGone={isGone}
            onStep={() => onStep([{ saleId: ticket.id, itemIds: [item.id], from: item.status }])}
            onSeen={() => onSeen([item.id])}
          />
        ))}
      </ul>
      <div className="p-2 pt-0">
        {isGone && (
          <Button
            data-bump
            size="large"
            className="w-full text-xl!"
            aria-label={`${t('kitchen.seen')} ${name}`}
            onClick={() => onSeen([ticket.id])}
          >
            {t('kitchen.seen')}
          </Button>
        )}
        {!isGone && state !== null && (
          <Button
            data-bump
            look={state === 'NEW' ? 'plain' : 'primary'}
            size="large"
            className="w-full text-xl!"
            onClick={stepAll}
          >
            {t(BUTTONS[state])}
          </Button>
        )}
      </div>
    </article>
  )
}, isSame)
