import { Bell, BellOff, Undo2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTexts } from '../../texts/texts.ts'
import { Button } from '../../ui/button.tsx'

type BoardHeadProps = { title: string; canUndo: boolean; onUndo(): void; children?: ReactNode }

/** The bar above a board: its station, and the button that undoes the last step. */
export function BoardHead({ title, canUndo, onUndo, children }: BoardHeadProps) {
  const t = useTexts()
  return (
    <div className="flex flex-wrap items-center gap-2 border-b bg-panel px-3 py-2">
      <h1 className="text-xl font-bold sm:mr-2">{title}</h1>
      {children}
      <Button className="ml-auto" disabled={!canUndo} onClick={onUndo}>
        <Undo2 aria-hidden size={20} />
        {t('kitchen.undo')}
      </Button>
    </div>
  )
}

export function SoundButton({ isQuiet, onQuiet }: { isQuiet: boolean; onQuiet(isQuiet: boolean): void }) {
  const t = useTexts()
  const Icon = isQuiet ? BellOff : Bell
  return (
    <Button look="quiet" className="px-3" onClick={() => onQuiet(!isQuiet)}>
      <Icon aria-hidden size={20} />
      <span className="max-sm:sr-only">{t(isQuiet ? 'kitchen.soundOff' : 'kitchen.soundOn')}</span>
    </Button>
  )
}
