import { type Floor, type FloorTable, floorsCreate, tablesCreate } from 'kasir-client'
import { Undo2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import { call } from '../../app/service.ts'
import { LeaveDialog } from '../../office/form/leave-dialog.tsx'
import { useTexts } from '../../texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Notice } from '../../ui/notice.tsx'
import { AddRow } from './add-row.tsx'
import { ArrangeList } from './arrange-list.tsx'
import { ArrangeMap } from './arrange-map.tsx'
import { EditFloor, EditTable, LABEL_LENGTH, NAME_LENGTH, readFloorAgain } from './edit-parts.tsx'
import { useArranging } from './use-arranging.ts'
import type { LeaveQuestion } from './use-leaving.ts'

type ArrangeProps = {
  outletId: string
  floor: Floor | undefined
  tables: readonly FloorTable[]
  /** Set while the person decides on a map that is not saved. */
  question: LeaveQuestion | null
  onUnsaved(isUnsaved: boolean): void
  onFloor(floorId: string): void
  onDone(): void
}

/** Arranges one floor: tables by list and arrows, or by drag; tables and floors are added, renamed and deleted here as well. */
export function ArrangePage(props: ArrangeProps) {
  const { outletId, floor, tables, question, onUnsaved, onFloor, onDone } = props
  const t = useTexts()
  const add = async <D,>(request: Promise<D>): Promise<D> => {
    try {
      return await request
    } finally {
      // An earlier request may have added it.
      await readFloorAgain(outletId)
    }
  }
  const addTable = async (label: string, idempotencyKey: string) => {
    const body = { outletId, label, ...(floor === undefined ? {} : { floorId: floor.id }) }
    await add(call(tablesCreate, body, { idempotencyKey }))
  }
  const addFloor = async (name: string, idempotencyKey: string) => {
    const made = await add(call(floorsCreate, { outletId, name }, { idempotencyKey }))
    onFloor(made.floor.id)
  }
  return (
    <div className="grid content-start gap-4">
      {floor !== undefined && tables.length > 0 ? (
        <Arranging key={floor.id} floor={floor} tables={tables} onUnsaved={onUnsaved} onDone={onDone} />
      ) : (
        <Button className="justify-self-end" onClick={onDone}>
          {t('arrange.done')}
        </Button>
      )}
      <div className="grid gap-4 rounded-2xl border bg-panel p-4 sm:grid-cols-2">
        <AddRow
          title={t('arrange.newTable')}
          label={t('arrange.tableLabel')}
          most={LABEL_LENGTH}
          onAdd={addTable}
        />
        <AddRow
          title={t('arrange.newFloor')}
          label={t('arrange.floorName')}
          most={NAME_LENGTH}
          onAdd={addFloor}
        />
        {floor !== undefined && <EditFloor key={floor.id} floor={floor} />}
      </div>
      {question !== null && <LeaveDialog mayBeSaved={false} {...question} />}
    </div>
  )
}

type ArrangingProps = Pick<ArrangeProps, 'tables' | 'onUnsaved' | 'onDone'> & { floor: Floor }

function Arranging({ floor, tables, onUnsaved, onDone }: ArrangingProps) {
  const t = useTexts()
  const [chosenId, setChosen] = useState<string | null>(null)
  const map = useArranging({ floorId: floor.id, outletId: floor.outletId, tables })
  const { isUnsaved } = map
  useEffect(() => {
    onUnsaved(isUnsaved)
    return () => onUnsaved(false)
  }, [isUnsaved, onUnsaved])
  const labels = new Map(tables.map(({ id, label }) => [id, label]))
  // The chosen table may have been deleted.
  const chosen = chosenId !== null && labels.has(chosenId) ? chosenId : null
  const shared = { places: map.places, labels, chosen, onChoose: setChosen, onChange: map.change }
  return (
    <section aria-label={t('arrange.title', { name: floor.name })} className="grid gap-3">
      <div className="flex flex-wrap items-center gap-2">
        <h2 className="w-full min-w-0 text-lg font-semibold break-words sm:w-auto sm:flex-1">
          {t('arrange.title', { name: floor.name })}
        </h2>
        <p role="status" className={map.isDirty ? 'font-medium text-warn' : 'text-good'}>
          {map.isDirty ? t('arrange.dirty') : map.isSaved && t('arrange.saved')}
        </p>
        <Button disabled={!map.canUndo || map.isBusy} onClick={map.undo}>
          <Undo2 aria-hidden size={20} />
          {t('arrange.undo')}
        </Button>
        <Button look="primary" disabled={!map.isDirty || map.isBusy} onClick={() => void map.save()}>
          {t('arrange.save')}
        </Button>
        <Button disabled={map.isBusy} onClick={onDone}>
          {t('arrange.done')}
        </Button>
      </div>
      <Failure error={map.error} />
      {map.conflict !== null && (
        <Notice text={t('arrange.conflict')}>
          <div className="grid shrink-0 gap-2">
            <Button onClick={map.keepTheirs}>{t('arrange.theirs')}</Button>
            <Button onClick={() => void map.keepMine()}>{t('arrange.mine')}</Button>
          </div>
        </Notice>
      )}
      <div className="grid gap-3 lg:grid-cols-[20rem_1fr]">
        <ArrangeList {...shared}>
          {chosen !== null && (
            <EditTable key={chosen} id={chosen} label={labels.get(chosen) ?? ''} outletId={floor.outletId} />
          )}
        </ArrangeList>
        <ArrangeMap {...shared} onDragStart={map.beginDrag} onDrag={map.drag} />
      </div>
    </section>
  )
}
