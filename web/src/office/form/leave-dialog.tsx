import { useOfficeTexts } from '../../texts/office/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'

/** Asks before typed values are lost. */
export function LeaveDialog({ onStay, onLeave }: { onStay(): void; onLeave(): void }) {
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
      <p>{t('leave.text')}</p>
    </Dialog>
  )
}
