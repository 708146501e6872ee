import { useEffect, useState } from 'react'
import { useIsOnline } from '../../app/line.ts'
import { useTexts } from '../../texts/texts.ts'
import { Notice } from '../../ui/notice.tsx'

/** Room for some ten thousand sales. */
const LEAST_BYTES = 50 * 1024 * 1024

/** The free storage of this app in bytes; null if the browser does not report it. */
async function freeBytes(): Promise<number | null> {
  // Browsers answer on https and localhost only.
  const storage = navigator.storage as StorageManager | undefined
  const { quota, usage } = (await storage?.estimate?.()) ?? {}
  return quota === undefined || usage === undefined ? null : quota - usage
}

/** Offline, every sale is kept on this device, so the register warns of low storage before the first one. */
export function LowStorage() {
  const t = useTexts()
  const isOnline = useIsOnline()
  const [isLow, setLow] = useState(false)
  useEffect(() => {
    if (isOnline) return
    let isShown = true
    freeBytes().then(
      (free) => isShown && setLow(free !== null && free < LEAST_BYTES),
      () => {},
    )
    return () => {
      isShown = false
    }
  }, [isOnline])
  return isLow && !isOnline ? <Notice text={t('storage.low')} /> : null
}
