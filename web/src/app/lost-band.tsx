import { Unplug } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTexts } from '../texts/texts.ts'
import { POLL_MS, useLive } from './live.ts'

const clock = (seconds: number) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`

/** Shows since when a board receives no changes, and that it is read again every few seconds. */
export function LostBand() {
  const lostAtMs = useLive((stream) => stream.lostAtMs)
  return lostAtMs === null ? null : <Band lostAtMs={lostAtMs} />
}

function Band({ lostAtMs }: { lostAtMs: number }) {
  const t = useTexts()
  const [nowMs, setNowMs] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  const seconds = Math.max(0, Math.round((nowMs - lostAtMs) / 1_000))
  return (
    <div className="flex min-h-12 items-center gap-3 bg-danger-soft px-4 py-2 font-semibold text-danger">
      <Unplug aria-hidden size={22} className="shrink-0" />
      <p role="status">{t('live.lost', { s: POLL_MS / 1_000 })}</p>
      <span aria-hidden className="tabular-nums">
        {clock(seconds)}
      </span>
    </div>
  )
}
