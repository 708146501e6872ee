import { Undo2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTexts } from '../../texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/failure.tsx'
import type { FloorNews } from './table-dialog.tsx'

const SHOWN_MS = 6_000

/** The last action on a bill; a move can be undone for six seconds. */
export function NewsBar({ news, onEnd }: { news: FloorNews; onEnd(): void }) {
  const t = useTexts()
  const [error, setError] = useState<unknown>(null)
  useEffect(() => {
    if (error !== null) return
    const timer = setTimeout(onEnd, SHOWN_MS)
    return () => clearTimeout(timer)
  }, [news, error, onEnd])
  return (
    <div className="border-t bg-panel px-4 py-1">
      <Failure error={error} />
      <div className="flex min-h-12 items-center justify-between gap-2">
        <p role="status" className="min-w-0 break-words">
          {news.text}
        </p>
        {news.undo !== null && (
          <Button look="quiet" onClick={() => void news.undo?.().then(onEnd, setError)}>
            <Undo2 aria-hidden size={18} />
            {t('undo')}
          </Button>
        )}
      </div>
    </div>
  )
}
