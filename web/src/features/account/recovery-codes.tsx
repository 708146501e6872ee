import { Copy, Printer } from 'lucide-react'
import { useCallback, useState } from 'react'
import { useSession } from '../../app/session.ts'
import { useAccountTexts } from '../../texts/account/texts.ts'
import { Button } from '../../ui/button.tsx'
import { copyText } from '../../ui/copy-text.ts'
import { PrintSheet } from '../../ui/print-sheet.tsx'

type RecoveryCodesProps = { codes: readonly string[]; onDone(): void }

/** Recovery codes, which the service shows once: to copy and to print. */
export function RecoveryCodes({ codes, onDone }: RecoveryCodesProps) {
  const t = useAccountTexts()
  const email = useSession(({ member }) => member?.email ?? '')
  const [isCopied, setCopied] = useState(false)
  const [isPrinting, setPrinting] = useState(false)
  const finishPrint = useCallback(() => setPrinting(false), [])
  const copy = async () => setCopied(await copyText(codes.join('\n')))
  const list = (
    <ul
      aria-label={t('codes')}
      className="grid grid-cols-[repeat(auto-fill,minmax(12rem,1fr))] gap-x-4 gap-y-1 font-mono"
    >
      {codes.map((code) => (
        <li key={code} className="select-all">
          {code}
        </li>
      ))}
    </ul>
  )
  return (
    <div className="grid gap-3">
      <h3 className="font-semibold">{t('codes')}</h3>
      <p className="rounded-xl bg-warn-soft p-3 font-medium text-warn">{t('codes.text')}</p>
      <div className="rounded-xl border bg-raised p-3">{list}</div>
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => void copy()}>
          <Copy aria-hidden size={18} />
          {t(isCopied ? 'codes.copied' : 'codes.copy')}
        </Button>
        <Button onClick={() => setPrinting(true)}>
          <Printer aria-hidden size={18} />
          {t('codes.print')}
        </Button>
        <Button look="primary" onClick={onDone}>
          {t('codes.done')}
        </Button>
      </div>
      {isPrinting && (
        <PrintSheet onPrinted={finishPrint}>
          <p>{t('codes.for', { email })}</p>
          {list}
        </PrintSheet>
      )}
    </div>
  )
}
