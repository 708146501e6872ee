import { useIsOnline } from '../../app/line.ts'
import { useTexts } from '../../texts/texts.ts'
import { Notice } from '../../ui/notice.tsx'

/**
 * Browsers store a page only if it came over https or from this machine. Any other page must stay open while offline.
 */
export function PlainHttp() {
  const t = useTexts()
  const isOnline = useIsOnline()
  return isOnline || window.isSecureContext ? null : <Notice text={t('page.plain')} />
}
