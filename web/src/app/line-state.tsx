import { CircleAlert, RefreshCw, Wifi, WifiOff } from 'lucide-react'
import { useState } from 'react'
import { countUnsent, useOutbox } from '../offline/outbox.ts'
import { useTexts } from '../texts/texts.ts'
import { classes } from '../ui/classes.ts'
import { lazyPart } from '../ui/lazy-part.tsx'
import { useIsOnline } from './line.ts'

const load = () => import('../features/outbox/outbox-dialog.tsx')
const OutboxDialog = lazyPart(() => load().then((file) => file.OutboxDialog))

const STATES = {
  online: { icon: Wifi, look: 'text-good' },
  offline: { icon: WifiOff, look: 'bg-danger-soft text-danger' },
  sending: { icon: RefreshCw, look: 'bg-brand-soft text-brand' },
  action: { icon: CircleAlert, look: 'bg-warn-soft text-warn' },
} as const

function useLineState(): keyof typeof STATES {
  const isOnline = useIsOnline()
  const rows = useOutbox((outbox) => outbox.rows)
  if (rows.some(({ state }) => state === 'refused' || state === 'absent')) return 'action'
  if (!isOnline) return 'offline'
  return rows.some(({ state }) => state === 'waiting') ? 'sending' : 'online'
}

/**
 * The state of the connection and the number of waiting sales, in words and colour. A tap shows the waiting sales.
 */
export function LineState() {
  const t = useTexts()
  const state = useLineState()
  const count = useOutbox((outbox) => countUnsent(outbox.rows))
  const [isOpen, setOpen] = useState(false)
  const { icon: Icon, look } = STATES[state]
  return (
    <>
      <span role="status" className="shrink-0">
        <button
          type="button"
          className={classes(
            'flex min-h-12 min-w-12 items-center justify-center gap-1.5 rounded-full px-2.5 text-sm leading-tight font-medium',
            look,
          )}
          onPointerEnter={() => void load().catch(() => {})}
          onClick={() => setOpen(true)}
        >
          <Icon aria-hidden size={18} className="shrink-0" />
          <span className={state === 'online' ? 'sr-only sm:not-sr-only' : 'max-sm:max-w-18 max-sm:text-xs'}>
            {t(`line.${state}`, { n: count })}
          </span>
        </button>
      </span>
      {isOpen && <OutboxDialog onClose={() => setOpen(false)} />}
    </>
  )
}
