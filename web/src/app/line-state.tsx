import { Wifi, WifiOff } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import { useTexts } from '../texts/texts.ts'
import { classes } from '../ui/classes.ts'
import { useSession } from './session.ts'

const watchLine = (notify: () => void) => {
  window.addEventListener('online', notify)
  window.addEventListener('offline', notify)
  return () => {
    window.removeEventListener('online', notify)
    window.removeEventListener('offline', notify)
  }
}

/** Whether the service can be reached, in words and colour. */
export function LineState() {
  const t = useTexts()
  const hasLine = useSyncExternalStore(watchLine, () => navigator.onLine)
  const isReachable = useSession((session) => session.isReachable)
  const isOnline = hasLine && isReachable
  const Icon = isOnline ? Wifi : WifiOff
  return (
    <span
      role="status"
      className={classes(
        'flex items-center gap-1.5 rounded-full px-2.5 py-1.5 text-sm font-medium whitespace-nowrap',
        isOnline ? 'text-good' : 'bg-danger-soft text-danger',
      )}
    >
      <Icon aria-hidden size={18} />
      <span className={isOnline ? 'sr-only sm:not-sr-only' : undefined}>
        {t(isOnline ? 'line.online' : 'line.offline')}
      </span>
    </span>
  )
}
