import type { Ticket } from 'kasir-client'
import { useEffect, useRef, useState } from 'react'
import { chime } from '../../ui/beep.ts'
import { useKitchenBoard } from './board-store.ts'
import { newItemsOf } from './tickets.ts'

const OUTLINED_MS = 2_000

/** The tickets with new work since the last look. It sounds once for all of them, unless the sound is off. */
export function useNews(tickets: readonly Ticket[] | undefined, station: string | null): ReadonlySet<string> {
  const known = useRef<ReadonlySet<string> | null>(null)
  const [fresh, setFresh] = useState<ReadonlySet<string>>(new Set())
  useEffect(() => {
    if (tickets === undefined) return
    const items = newItemsOf(tickets, null)
    const ofStation = newItemsOf(tickets, station)
    const before = known.current
    // An item that was set back to NEW does not count as new.
    known.current = new Set([...(before ?? []), ...items.keys()])
    // What was there when the board opened is not new.
    if (before === null) return
    const news = [...ofStation].filter(([itemId]) => !before.has(itemId))
    if (news.length === 0) return
    if (!useKitchenBoard.getState().isQuiet) chime()
    setFresh(new Set(news.map(([, ticketId]) => ticketId)))
  }, [tickets, station])
  useEffect(() => {
    if (fresh.size === 0) return
    const timer = setTimeout(() => setFresh(new Set()), OUTLINED_MS)
    return () => clearTimeout(timer)
  }, [fresh])
  return fresh
}
