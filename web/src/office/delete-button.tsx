import { useMutation } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useOfficeTexts } from '../texts/office/texts.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Failure } from '../ui/failure.tsx'
import { May } from './may.tsx'
import type { RouteName } from './page-routes.ts'

type DeleteButtonProps = {
  route: RouteName
  name: string
  /** What the deletion means for other records. */
  text: string
  label?: string
  remove(): Promise<unknown>
  onDone(): void
  /** Unsaved changes come first. */
  isDirty?: boolean
  /** A choice below the text. */
  children?: ReactNode
}

/** Asks, deletes, and says when the service deactivated the record instead because others refer to it. */
export function DeleteButton({
  route,
  name,
  text,
  label,
  remove,
  onDone,
  isDirty = false,
  children,
}: DeleteButtonProps) {
  const t = useOfficeTexts()
  const [isOpen, setOpen] = useState(false)
  const removal = useMutation({
    mutationFn: remove,
    onSuccess: (answer) => {
      if (!isDeactivation(answer)) onDone()
    },
  })
  const wasDeactivated = removal.isSuccess && isDeactivation(removal.data)
  const verb = label ?? t('delete')
  return (
    <May route={route}>
      <Button look="quiet" className="text-danger!" disabled={isDirty} onClick={() => setOpen(true)}>
        <Trash2 aria-hidden size={18} />
        <span className="max-sm:sr-only">{verb}</span>
      </Button>
      {isOpen && (
        <Dialog
          title={`${verb}: ${name}`}
          onClose={() => (wasDeactivated ? onDone() : setOpen(false))}
          actions={
            wasDeactivated ? (
              <Button className="flex-1" look="primary" onClick={onDone}>
                {t('close')}
              </Button>
            ) : (
              <Button
                className="flex-1"
                look="danger"
                disabled={removal.isPending}
                onClick={() => removal.mutate()}
              >
                {verb}
              </Button>
            )
          }
        >
          <div className="grid gap-3">
            <p>{wasDeactivated ? t('delete.deactivated', { name }) : text}</p>
            {!wasDeactivated && children}
            <Failure error={removal.error} />
          </div>
        </Dialog>
      )}
    </May>
  )
}

const isDeactivation = (answer: unknown): boolean =>
  typeof answer === 'object' && answer !== null && 'deactivated' in answer
