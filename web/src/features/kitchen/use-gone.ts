import { isKasirError, salesGet, type Ticket } from 'kasir-client'
import { useEffect, useRef, useState } from 'react'
import { POLL_MS } from '../../app/live.ts'
import { call } from '../../app/service.ts'
import { lostTickets } from './tickets.ts'

const isCancelled = (id: string): Promise<boolean> =>
  call(salesGet, { id }).then(
    // The goods of a merged bill are on the ticket of the other bill.
    ({ sale }) =>
      sale.orderType === null ||
      (sale.status === 'VOIDED' && sale.voidReason?.startsWith('Merged into') !== true),
    (error: unknown) => {
      if (isKasirError(error) && error.code === 'NOT_FOUND') return true
      throw error
    },
  )

/** Orders that were cancelled completely while this board showed them; they stay until the cook has seen it. */
export function useGoneTickets(tickets: readonly Ticket[] | undefined): readonly Ticket[] {
  const before = useRef<readonly Ticket[]>([])
  const [gone, setGone] = useState<readonly Ticket[]>([])
  const isOpen = useRef(false)
  useEffect(() => {
    isOpen.current = true
    return () => {
      isOpen.current = false
    }
  }, [])
  useEffect(() => {
    if (tickets === undefined) return
    const lost = lostTickets(before.current, tickets)
    before.current = tickets
    const ask = (ticket: Ticket) =>
      void isCancelled(ticket.id).then(
        (cancelled) => {
          if (cancelled) setGone((now) => [...now.filter(({ id }) => id !== ticket.id), ticket])
        },
        () => {
          // The ticket disappears only once, so no later reading of the board asks again.
          setTimeout(() => isOpen.current && ask(ticket), POLL_MS)
        },
      )
    for (const ticket of lost) ask(ticket)
  }, [tickets])
  return gone
}
