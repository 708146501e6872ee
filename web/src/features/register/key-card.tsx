import { type TextKey, useTexts } from '../../texts/texts.ts'
import { Dialog } from '../../ui/dialog.tsx'

const KEYS: readonly (readonly [keys: string, text: TextKey])[] = [
  ['F2  /', 'keys.search'],
  ['3 *', 'keys.quantity'],
  ['+  −  Del', 'keys.line'],
  ['↑  ↓', 'keys.select'],
  ['F4', 'keys.customer'],
  ['F8', 'keys.hold'],
  ['F9  Enter', 'keys.pay'],
  ['Alt+1 … 7', 'keys.tender'],
  ['Enter', 'keys.done'],
  ['Esc', 'keys.back'],
  ['?', 'keys.card'],
]

export function KeyCard({ onClose }: { onClose(): void }) {
  const t = useTexts()
  return (
    <Dialog title={t('keys.title')} onClose={onClose}>
      <dl className="grid grid-cols-[auto_1fr] items-baseline gap-x-5 gap-y-2.5">
        {KEYS.map(([keys, text]) => (
          <div key={text} className="contents">
            <dt className="font-mono font-semibold whitespace-pre">{keys}</dt>
            <dd>{t(text)}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
