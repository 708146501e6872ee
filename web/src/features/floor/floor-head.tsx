import type { Floor } from 'kasir-client'
import { LayoutGrid } from 'lucide-react'
import { useTexts } from '../../texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { useFloorStore } from './floor-store.ts'

type FloorHeadProps = {
  floors: readonly Floor[]
  floor: Floor | undefined
  onFloor(floorId: string): void
  /** Null if the tables have no positions. */
  view: 'list' | 'map' | null
  used: number
  free: number
  /** Null if the member may not arrange tables. */
  onArrange: (() => void) | null
}

/** The bar above the tables: the floor, list or map, and the number of occupied tables. */
export function FloorHead({ floors, floor, onFloor, view, used, free, onArrange }: FloorHeadProps) {
  const t = useTexts()
  const { chooseView } = useFloorStore()
  return (
    <div className="flex flex-wrap items-center gap-2 border-b bg-panel px-3 py-2">
      <h1 className="text-xl font-bold sm:mr-2">{t('floor')}</h1>
      {floors.length > 1 && (
        <Tabs
          label={t('floor.floors')}
          value={floor?.id ?? ''}
          onValue={onFloor}
          options={floors.map(({ id, name }) => ({ value: id, text: name }))}
        />
      )}
      {view !== null && (
        <Tabs
          label={t('floor.view')}
          value={view}
          onValue={chooseView}
          options={[
            { value: 'list', text: t('floor.list') },
            { value: 'map', text: t('floor.map') },
          ]}
        />
      )}
      <p className="ml-auto text-muted tabular-nums">{t('floor.counts', { used, free })}</p>
      {onArrange !== null && (
        <Button onClick={onArrange}>
          <LayoutGrid aria-hidden size={20} />
          {t('arrange.open')}
        </Button>
      )}
    </div>
  )
}
