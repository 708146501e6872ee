import type { CallOptions } from 'kasir-client'
import { type ReactNode, useState } from 'react'
import { useRequestKey } from '../../app/request-key.ts'
import { ConfirmDialog } from '../../office/confirm-dialog.tsx'
import { May } from '../../office/may.tsx'
import { ModuleFailure } from '../../office/module-gate.tsx'
import type { RouteName } from '../../office/page-routes.ts'
import { Button } from '../../ui/button.tsx'

type ActionButtonProps = {
  route: RouteName
  label: string
  /** What the action means. */
  text: string
  look?: 'danger' | 'primary'
  run(options: CallOptions): Promise<unknown>
  onDone(): void
  /** Fields of the dialog. */
  children?: ReactNode
  isDisabled?: boolean
}

/** Asks before an action at the partner; a repeat after a lost answer changes nothing twice. */
export function ActionButton(props: ActionButtonProps) {
  const { route, label, text, look = 'danger', run, onDone, children, isDisabled = false } = props
  const send = useRequestKey()
  const [isOpen, setOpen] = useState(false)
  return (
    <May route={route}>
      <Button onClick={() => setOpen(true)}>{label}</Button>
      {isOpen && (
        <ConfirmDialog
          title={label}
          verb={label}
          look={look}
          isDisabled={isDisabled}
          run={() => send((idempotencyKey) => run({ idempotencyKey }))}
          onDone={() => {
            setOpen(false)
            onDone()
          }}
          onClose={() => setOpen(false)}
          showError={(error) => <ModuleFailure error={error} isWrite />}
        >
          <p>{text}</p>
          {children}
        </ConfirmDialog>
      )}
    </May>
  )
}
