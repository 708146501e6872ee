import { useOfficeTexts } from '../../texts/office/texts.ts'
import { Button } from '../../ui/button.tsx'
import type { FormState } from './use-form.ts'

type RestoredNoticeProps = { form: Pick<FormState<object>, 'restored' | 'discard'> }

/** Says that the values were typed before the page was left, and whether they may have been saved. */
export function RestoredNotice({ form }: RestoredNoticeProps) {
  const t = useOfficeTexts()
  if (form.restored === 'no') return null
  return (
    <p role="status" className="flex flex-wrap items-center gap-2 rounded-xl bg-warn-soft p-3 text-warn">
      <span className="min-w-0 flex-1">
        {t(form.restored === 'unsaved' ? 'form.restored' : 'form.mayBeSaved')}
      </span>
      <Button onClick={form.discard}>{t('form.discard')}</Button>
    </p>
  )
}
