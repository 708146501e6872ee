import { useOfficeTexts } from '../../texts/office/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'

type LeaveDialogProps = { mayBeSaved: boolean; onStay(): void; onLeave(): void }

/** Asks before typed values are lost, and says whether they may have been saved. */
export function LeaveDialog({ mayBeSaved, onStay, onLeave }: LeaveDialogProps) {
  const t = useOfficeTexts()
  return (
    <Dialog
      title={t('leave.title')}
      onClose={onStay}
      actions={
        <>
          <Button className="flex-1" look="danger" onClick={onLeave}>
            {t('leave.go')}
          </Button>
          <Button className="flex-1" look="primary" onClick={onStay}>
            {t('leave.stay')}
          </Button>
        </>
      }
    >
      <p>{t(mayBeSaved ? 'leave.mayBeSaved' : 'leave.text')}</p>
    </Dialog>
  )
}
