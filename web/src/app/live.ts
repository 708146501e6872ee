import { useQuery } from '@tanstack/react-query'
import { connect, isKasirError } from 'kasir-client'
import { useEffect } from 'react'
import { create } from 'zustand'
import { liveChanges } from '../offline/catalogue-changes.ts'
import { queries } from './queries.ts'
import { useSession } from './session.ts'

type Board = 'kds' | 'serve' | 'floor'
const BOARDS: readonly Board[] = ['kds', 'serve', 'floor']
const isBoard = (topic: string): topic is Board => (BOARDS as readonly string[]).includes(topic)

/** When the stream of changes was lost, by the clock of this device; null while it is open. */
export const useLive = create<{ lostAtMs: number | null }>(() => ({ lostAtMs: null }))

/** While the stream is lost the boards are read this often. */
export const POLL_MS = 5_000
/** A change can be lost between two processes of the service, so a board is also read this often. */
const AT_LEAST_MS = 60_000
/** A stream that opens within this time does not count as lost. */
const OPENING_MS = 2_000

const noteOpen = () => useLive.setState({ lostAtMs: null })
const noteLost = () => {
  if (useLive.getState().lostAtMs === null) useLive.setState({ lostAtMs: Date.now() })
}

/** Fetches the stream and calls `onEnd` when it ends. */
export const fetchUntil =
  (onEnd: () => void): typeof fetch =>
  async (input, init) => {
    const answer = await fetch(input, init)
    if (!answer.ok || answer.body === null) return answer
    const reader = answer.body.getReader()
    const body = new ReadableStream<Uint8Array>({
      pull: async (stream) => {
        try {
          const { done, value } = await reader.read()
          if (!done) return stream.enqueue(value)
          stream.close()
        } catch (error) {
          stream.error(error)
        }
        onEnd()
      },
      cancel: (reason) => reader.cancel(reason),
    })
    return new Response(body, { status: answer.status, headers: answer.headers })
  }

const read = (board: Board, outletId: string) => queries.invalidateQueries({ queryKey: [board, outletId] })

async function follow(outletId: string, signal: AbortSignal) {
  // A closed page shows no band.
  const noteLostIfSeen = () => {
    if (!signal.aborted) noteLost()
  }
  const opening = setTimeout(noteLostIfSeen, OPENING_MS)
  try {
    const connection = connect({ baseUrl: window.location.origin, fetch: fetchUntil(noteLostIfSeen) })
    for await (const change of liveChanges(connection, { outletId, signal })) {
      clearTimeout(opening)
      if (change.kind === 'readAll') {
        noteOpen()
        for (const board of BOARDS) void read(board, outletId)
      } else if (isBoard(change.topic)) {
        void read(change.topic, outletId)
        // The serve board also counts what the kitchen still prepares.
        if (change.topic === 'kds') void read('serve', outletId)
      }
    }
  } catch (error) {
    // The service refuses the stream for good, for example beyond the limit of streams: the boards are polled.
    if (isKasirError(error) && error.code === 'AUTH_REQUIRED') useSession.getState().end()
    else noteLostIfSeen()
  } finally {
    clearTimeout(opening)
  }
}

/** Follows the boards of an outlet as long as a page shows one of them. */
function useStream(outletId: string | undefined) {
  useEffect(() => {
    if (outletId === undefined) return
    const stop = new AbortController()
    noteOpen()
    void follow(outletId, stop.signal)
    return () => stop.abort()
  }, [outletId])
}

type BoardRead<Data> = { board: Board; outletId: string | undefined; fetch(outletId: string): Promise<Data> }

/** A board of the service, read again after each change, and every few seconds while the stream is lost. */
export function useBoard<Data>({ board, outletId, fetch: fetchBoard }: BoardRead<Data>) {
  useStream(outletId)
  const isPolled = useLive(({ lostAtMs }) => lostAtMs !== null)
  return useBoardData({ board, outletId, fetch: fetchBoard, isPolled })
}

/** A second board of a page that already follows one. */
export function useSecondBoard<Data>(side: BoardRead<Data>) {
  const isPolled = useLive(({ lostAtMs }) => lostAtMs !== null)
  return useBoardData({ ...side, isPolled })
}

const useBoardData = <Data>({
  board,
  outletId,
  fetch: fetchBoard,
  isPolled,
}: BoardRead<Data> & { isPolled: boolean }) =>
  useQuery({
    queryKey: [board, outletId],
    queryFn: () => fetchBoard(outletId ?? ''),
    enabled: outletId !== undefined,
    refetchInterval: isPolled ? POLL_MS : AT_LEAST_MS,
    refetchIntervalInBackground: true,
  })
