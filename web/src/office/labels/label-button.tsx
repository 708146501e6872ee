import { Tag } from 'lucide-react'
import { useState } from 'react'
import { useOfficeTexts } from '../../texts/office/texts.ts'
import { Button } from '../../ui/button.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import type { LabelSource } from './source.ts'

const LabelDialog = lazyPart(() => import('./label-dialog.tsx').then((file) => file.LabelDialog))

/** Opens the dialog that prints labels. The dialog is loaded when it is opened. */
export function LabelButton({ source }: { source: LabelSource }) {
  const t = useOfficeTexts()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Tag aria-hidden size={20} />
        {t('labels.print')}
      </Button>
      {isOpen && <LabelDialog source={source} onClose={() => setOpen(false)} />}
    </>
  )
}
