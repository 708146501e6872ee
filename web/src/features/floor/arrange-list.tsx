import { ArrowDown, ArrowLeft, ArrowRight, ArrowUp } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTexts } from '../../texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { Picks } from '../../ui/picks.tsx'
import { GRID, movedBy, type Shape, shaped, type TablePlace } from './layout.ts'

const ARROWS = [
  { key: 'left', icon: ArrowLeft, by: [-GRID, 0] },
  { key: 'right', icon: ArrowRight, by: [GRID, 0] },
  { key: 'up', icon: ArrowUp, by: [0, -GRID] },
  { key: 'down', icon: ArrowDown, by: [0, GRID] },
] as const
const SHAPES: readonly Shape[] = ['SQUARE', 'ROUND', 'RECT']

type ArrangeListProps = {
  places: readonly TablePlace[]
  labels: ReadonlyMap<string, string>
  chosen: string | null
  onChoose(id: string): void
  onChange(id: string, edit: (place: TablePlace) => TablePlace): void
  /** More actions for the chosen table. */
  children: ReactNode
}

/** The tables as a list, and the chosen one with arrows and shapes: everything that a drag does. */
export function ArrangeList({ places, labels, chosen, onChoose, onChange, children }: ArrangeListProps) {
  const t = useTexts()
  const place = places.find(({ id }) => id === chosen)
  const text = (each: TablePlace) =>
    t('arrange.place', {
      label: labels.get(each.id) ?? '',
      x: each.posX / GRID + 1,
      y: each.posY / GRID + 1,
    })
  return (
    <div className="grid content-start gap-3">
      <ul aria-label={t('floor.tables')} className="grid max-h-60 gap-1 overflow-y-auto lg:max-h-96">
        {places.map((each) => (
          <li key={each.id}>
            <button
              type="button"
              aria-pressed={each.id === chosen}
              className={classes(
                'min-h-12 w-full truncate rounded-xl px-3 text-left tabular-nums',
                each.id === chosen ? 'bg-brand-soft font-semibold text-brand' : 'hover:bg-line/60',
              )}
              onClick={() => onChoose(each.id)}
            >
              {text(each)}
            </button>
          </li>
        ))}
      </ul>
      {place !== undefined && (
        <div className="grid gap-3 rounded-2xl border bg-panel p-3">
          <p role="status" className="font-semibold break-words tabular-nums">
            {text(place)}
          </p>
          <div className="grid grid-cols-4 gap-2">
            {ARROWS.map(({ key, icon: Icon, by: [byX, byY] }) => (
              <Button
                key={key}
                className="min-h-14 px-0!"
                aria-label={t(`arrange.${key}`)}
                onClick={() => onChange(place.id, (now) => movedBy(now, byX, byY))}
              >
                <Icon aria-hidden size={22} />
              </Button>
            ))}
          </div>
          <Picks
            label={t('arrange.shape')}
            value={place.shape}
            onValue={(shape) => onChange(place.id, (now) => shaped(now, shape))}
            options={SHAPES.map((shape) => ({ value: shape, text: t(`arrange.${shape}`) }))}
          />
          {children}
        </div>
      )}
    </div>
  )
}
