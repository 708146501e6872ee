import type { LabelRefusal } from '../../selling/register-store.ts'
import { useCounterTexts } from '../../texts/counter/texts.ts'
import { Notice } from '../../ui/notice.tsx'

/** Why the label of a scale sold nothing. */
export function LabelRefused({ refusal, close }: { refusal: LabelRefusal; close: React.ReactNode }) {
  const t = useCounterTexts()
  return <Notice text={t(`label.${refusal.kind}`, { goods: refusal.goods })}>{close}</Notice>
}
