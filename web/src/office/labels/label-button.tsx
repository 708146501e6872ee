import { Tag } from 'lucide-react'
import { type ComponentType, useState } from 'react'
import { useOfficeTexts } from '../../texts/office/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import type { LabelSource } from './source.ts'

type DialogProps = { source: LabelSource; onClose(): void }

/** Opens the dialog that prints labels. Loaded with the first click, since labels are printed by the service. */
export function LabelButton({ source }: { source: LabelSource }) {
  const t = useOfficeTexts()
  const [LabelDialog, setDialog] = useState<ComponentType<DialogProps> | null>(null)
  const [isLost, setLost] = useState(false)
  const open = () =>
    import('./label-dialog.tsx').then(
      (file) => {
        setLost(false)
        setDialog(() => file.LabelDialog)
      },
      () => setLost(true),
    )
  return (
    <>
      <Button onClick={() => void open()}>
        <Tag aria-hidden size={20} />
        {t('labels.print')}
      </Button>
      {isLost && <Notice text={t('failure.part')} />}
      {LabelDialog && <LabelDialog source={source} onClose={() => setDialog(null)} />}
    </>
  )
}
