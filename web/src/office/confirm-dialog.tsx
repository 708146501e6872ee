import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Failure } from '../ui/failure.tsx'

type ConfirmDialogProps = {
  title: string
  /** The verb on the button. */
  verb: string
  look?: 'danger' | 'primary'
  isDisabled?: boolean
  run(): Promise<unknown>
  onDone(): void
  onClose(): void
  /** Shows an error with the next step, where the page knows one. */
  showError?(error: unknown): ReactNode
  /** What the action means. */
  children: ReactNode
}

/** Asks before an action, and shows why it was refused. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const {
    title,
    verb,
    look = 'danger',
    isDisabled = false,
    run,
    onDone,
    onClose,
    showError,
    children,
  } = props
  const action = useMutation({ mutationFn: run, onSuccess: onDone })
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <Button
          className="flex-1"
          look={look}
          disabled={action.isPending || isDisabled}
          onClick={() => action.mutate()}
        >
          {verb}
        </Button>
      }
    >
      <div className="grid gap-3">
        {children}
        {showError ? showError(action.error) : <Failure error={action.error} />}
      </div>
    </Dialog>
  )
}
