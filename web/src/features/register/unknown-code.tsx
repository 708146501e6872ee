import { X } from 'lucide-react'
import { useSession } from '../../app/session.ts'
import { useRegister } from '../../selling/register-store.ts'
import { useTexts } from '../../texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { Notice } from '../../ui/notice.tsx'

const LabelRefused = lazyPart(() => import('./label-refused.tsx').then((file) => file.LabelRefused))

/** A scanned code that no product has: loud, and a manager can create the product on the spot. */
export function UnknownCode() {
  const t = useTexts()
  const { unknownCode, labelRefusal, show } = useRegister()
  const isCashier = useSession((session) => session.member?.role === 'CASHIER')
  const close = (
    <Button
      look="quiet"
      size="icon"
      aria-label={t('close')}
      onClick={() => show({ unknownCode: null, labelRefusal: null })}
    >
      <X aria-hidden size={20} />
    </Button>
  )
  if (labelRefusal !== null) return <LabelRefused refusal={labelRefusal} close={close} />
  if (unknownCode === null) return null
  return (
    <Notice text={t(isCashier ? 'unknownCode.ask' : 'unknownCode', { code: unknownCode })}>
      {!isCashier && (
        <Button onClick={() => show({ dialog: { kind: 'create', barcode: unknownCode } })}>
          {t('unknownCode.create')}
        </Button>
      )}
      {close}
    </Notice>
  )
}
