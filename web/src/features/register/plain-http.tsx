import { useIsOnline } from '../../app/line.ts'
import { useTexts } from '../../texts/texts.ts'
import { Notice } from '../../ui/notice.tsx'

/** Browsers keep a page for later only if it came over https or from this machine: without a line it must stay open. */
export function PlainHttp() {
  const t = useTexts()
  const isOnline = useIsOnline()
  return isOnline || window.isSecureContext ? null : <Notice text={t('page.plain')} />
}
