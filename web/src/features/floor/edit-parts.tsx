import { type Floor, floorsDelete, floorsUpdate, tablesDelete, tablesUpdate } from 'kasir-client'
import { Pencil } from 'lucide-react'
import { useState } from 'react'
import { queries } from '../../app/queries.ts'
import { call } from '../../app/service.ts'
import { useArrangeTexts } from '../../texts/arrange/texts.ts'
import { useTexts } from '../../texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { EditDialog } from './edit-dialog.tsx'

export const LABEL_LENGTH = 40
export const NAME_LENGTH = 60

export const readFloorAgain = (outletId: string) =>
  Promise.all(['floor', 'floors'].map((key) => queries.invalidateQueries({ queryKey: [key, outletId] })))

/** Renames or deletes the floor that is shown. */
export function EditFloor({ floor: { id, name, outletId } }: { floor: Floor }) {
  const t = useTexts()
  const e = useArrangeTexts()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button className="justify-self-start" onClick={() => setOpen(true)}>
        <Pencil aria-hidden size={18} />
        {e('edit.floor', { name })}
      </Button>
      {isOpen && (
        <EditDialog
          kind="Floor"
          name={name}
          label={t('arrange.floorName')}
          most={NAME_LENGTH}
          rename={(typed, options) => call(floorsUpdate, { id, name: typed }, options)}
          remove={(options) => call(floorsDelete, { id }, options)}
          onDone={() => {
            setOpen(false)
            void readFloorAgain(outletId)
          }}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}

type EditTableProps = { id: string; label: string; outletId: string }

/** Renames or deletes the chosen table. */
export function EditTable({ id, label, outletId }: EditTableProps) {
  const t = useTexts()
  const e = useArrangeTexts()
  const [isOpen, setOpen] = useState(false)
  return (
    <div className="grid gap-2">
      <Button onClick={() => setOpen(true)}>
        <Pencil aria-hidden size={18} />
        {e('edit.table', { name: label })}
      </Button>
      {isOpen && (
        <EditDialog
          kind="Table"
          name={label}
          label={t('arrange.tableLabel')}
          most={LABEL_LENGTH}
          rename={(typed, options) => call(tablesUpdate, { id, label: typed }, options)}
          remove={(options) => call(tablesDelete, { id }, options)}
          onDone={() => {
            setOpen(false)
            void readFloorAgain(outletId)
          }}
          onClose={() => setOpen(false)}
        />
      )}
    </div>
  )
}
