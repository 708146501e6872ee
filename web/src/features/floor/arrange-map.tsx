import { type KeyboardEvent, type PointerEvent, useRef } from 'react'
import { useTexts } from '../../texts/texts.ts'
import { classes } from '../../ui/classes.ts'
import { GRID, movedBy, type TablePlace } from './layout.ts'

const KEYS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowUp: [0, -GRID],
  ArrowDown: [0, GRID],
  ArrowLeft: [-GRID, 0],
  ArrowRight: [GRID, 0],
}
const EDGE = 200

type ArrangeMapProps = {
  places: readonly TablePlace[]
  labels: ReadonlyMap<string, string>
  chosen: string | null
  onChoose(id: string): void
  onChange(id: string, edit: (place: TablePlace) => TablePlace): void
  onDragStart(): void
  onDrag(id: string, edit: (place: TablePlace) => TablePlace): void
}

/** The map to arrange: arrow keys move the focused table, a finger or a mouse drags it. One map unit is one pixel. */
export function ArrangeMap({ places, labels, chosen, ...on }: ArrangeMapProps) {
  const t = useTexts()
  const grip = useRef<{ x: number; y: number; from: TablePlace; isMoving: boolean } | null>(null)
  const take = (event: PointerEvent<HTMLButtonElement>, place: TablePlace) => {
    event.currentTarget.setPointerCapture(event.pointerId)
    grip.current = { x: event.clientX, y: event.clientY, from: place, isMoving: false }
    on.onChoose(place.id)
  }
  const drag = (event: PointerEvent, id: string) => {
    const held = grip.current
    if (held === null || held.from.id !== id) return
    const [byX, byY] = [event.clientX - held.x, event.clientY - held.y]
    if (!held.isMoving) {
      if (Math.abs(byX) < GRID / 2 && Math.abs(byY) < GRID / 2) return
      held.isMoving = true
      on.onDragStart()
    }
    on.onDrag(id, () => movedBy(held.from, byX, byY))
  }
  const press = (event: KeyboardEvent, id: string) => {
    const by = KEYS[event.key]
    if (by === undefined) return
    event.preventDefault()
    on.onChoose(id)
    on.onChange(id, (place) => movedBy(place, ...by))
  }
  return (
    <div
      className="min-h-72 overflow-auto rounded-2xl border bg-ground"
      role="group"
      aria-label={t('floor.map')}
    >
      <div
        className="relative"
        style={{
          width: Math.max(...places.map(({ posX, width }) => posX + width)) + EDGE,
          height: Math.max(...places.map(({ posY, height }) => posY + height)) + EDGE,
        }}
      >
        {places.map((place) => (
          <button
            key={place.id}
            type="button"
            aria-pressed={place.id === chosen}
            className={classes(
              'absolute flex touch-none items-center justify-center overflow-hidden border-2 p-1 text-center font-semibold leading-tight select-none',
              place.shape === 'ROUND' ? 'rounded-full' : 'rounded-xl',
              place.id === chosen ? 'border-brand bg-brand-soft text-brand' : 'border-control bg-panel',
            )}
            style={{
              left: place.posX,
              top: place.posY,
              width: Math.max(48, place.width),
              height: Math.max(48, place.height),
            }}
            onClick={() => on.onChoose(place.id)}
            onKeyDown={(event) => press(event, place.id)}
            onPointerDown={(event) => take(event, place)}
            onPointerMove={(event) => drag(event, place.id)}
            onPointerUp={() => {
              grip.current = null
            }}
            onPointerCancel={() => {
              grip.current = null
            }}
          >
            <span className="max-w-full truncate">{labels.get(place.id)}</span>
          </button>
        ))}
      </div>
    </div>
  )
}
