import { useRegister } from '../../selling/register-store.ts'
import { useCounterTexts } from '../../texts/counter/texts.ts'
import { useTexts } from '../../texts/texts.ts'
import { Button } from '../../ui/button.tsx'

/** Kept sales without an answer are not forgotten: they are sent again from the open bills. */
export function UnansweredNotice({ count }: { count: number }) {
  const t = useTexts()
  const counter = useCounterTexts()
  const show = useRegister((register) => register.show)
  return (
    <div role="status" className="flex items-center gap-3 bg-warn-soft py-2 pr-2 pl-4 text-warn">
      <p className="flex-1 text-sm font-medium">{counter('unanswered.kept', { n: count })}</p>
      <Button onClick={() => show({ dialog: { kind: 'bills' } })}>{t('bills')}</Button>
    </div>
  )
}
