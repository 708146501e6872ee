import { EllipsisVertical } from 'lucide-react'
import { useTexts } from '../../texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import type { TableState } from './floor-data.ts'
import { TableButton } from './table-button.tsx'

type TableViewProps = {
  states: readonly TableState[]
  onOpen(state: TableState): void
  onOptions(state: TableState): void
}

/** The tables one after the other: for a phone and for a screen reader. */
export function TableList({ states, onOpen, onOptions }: TableViewProps) {
  const t = useTexts()
  return (
    <ul
      aria-label={t('floor.tables')}
      className="grid grid-cols-[repeat(auto-fill,minmax(min(10rem,100%),1fr))] content-start gap-2"
    >
      {states.map((state) => (
        <li key={state.table.id} className="relative flex">
          <TableButton
            state={state}
            className="min-h-24 min-w-0 flex-1 rounded-2xl pr-13!"
            onOpen={() => onOpen(state)}
          />
          <OptionsButton state={state} onOptions={onOptions} className="absolute top-1 right-1" />
        </li>
      ))}
    </ul>
  )
}

function OptionsButton({
  state,
  onOptions,
  className,
}: {
  state: TableState
  onOptions(state: TableState): void
  className: string
}) {
  const t = useTexts()
  return (
    <Button
      look="quiet"
      size="icon"
      className={className}
      aria-label={t('floor.options', { label: state.table.label })}
      onClick={() => onOptions(state)}
    >
      <EllipsisVertical aria-hidden size={20} />
    </Button>
  )
}

/** Map units to pixels: a usual table of 80 units is 150 px wide, enough for its bill. */
const SCALE = 1.9
const LEAST_PX = { width: 128, height: 104 }
const EDGE = 16

/** The tables on the map. */
export function TableMap({ states, onOpen, onOptions }: TableViewProps) {
  const t = useTexts()
  const left = Math.min(...states.map(({ table }) => table.posX))
  const top = Math.min(...states.map(({ table }) => table.posY))
  const placed = states.map((state) => {
    const { posX, posY, width, height } = state.table
    return {
      state,
      left: EDGE + (posX - left) * SCALE,
      top: EDGE + (posY - top) * SCALE,
      width: Math.max(LEAST_PX.width, width * SCALE),
      height: Math.max(LEAST_PX.height, height * SCALE),
    }
  })
  const right = Math.max(...placed.map((each) => each.left + each.width))
  const bottom = Math.max(...placed.map((each) => each.top + each.height))
  return (
    <div
      className="h-full overflow-auto rounded-2xl border bg-ground"
      role="group"
      aria-label={t('floor.map')}
    >
      <ul
        aria-label={t('floor.tables')}
        className="relative"
        style={{ width: right + EDGE, height: bottom + EDGE }}
      >
        {placed.map(({ state, ...place }) => (
          <li key={state.table.id} className="absolute flex" style={place}>
            <TableButton
              state={state}
              className={
                state.table.shape === 'ROUND'
                  ? 'size-full items-center justify-center rounded-[40%] px-8! text-center! text-sm'
                  : 'size-full rounded-2xl pr-12!'
              }
              onOpen={() => onOpen(state)}
            />
            <OptionsButton
              state={state}
              onOptions={onOptions}
              className={
                state.table.shape === 'ROUND'
                  ? 'absolute top-1/2 right-0 -translate-y-1/2'
                  : 'absolute top-0.5 right-0.5'
              }
            />
          </li>
        ))}
      </ul>
    </div>
  )
}
