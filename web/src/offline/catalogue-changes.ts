import { type Change, type Connection, connect, type LiveOptions, live } from 'kasir-client'
import { usePrinter } from '../printing/printer-store.ts'
import { useShop } from './shop.ts'

/** Every till receives a change at the same moment, so each waits for a random part of this time. */
const SPREAD_MS = 800
/** Reads of one till are at least this far apart. */
const AT_MOST_EVERY_MS = 5_000
/** After a read, a till waits this many times as long as the read took. */
const SHARE = 20
/** A stream that opens this soon after the previous one of this tab ended has missed no change. */
const GAP_MS = 10_000

let timer: ReturnType<typeof setTimeout> | undefined
let nextReadMs = 0
let followedMs = Date.now()

async function readShop() {
  timer = undefined
  const beganMs = Date.now()
  nextReadMs = beganMs + AT_MOST_EVERY_MS
  await useShop.getState().refresh()
  nextReadMs = Math.max(nextReadMs, beganMs + SHARE * (Date.now() - beganMs))
}

function readShopSoon() {
  if (timer !== undefined) return
  const pauseMs = Math.max(Math.random() * SPREAD_MS, nextReadMs - Date.now())
  timer = setTimeout(() => void readShop(), pauseMs)
}

function readIfChanged(change: Change) {
  const isMissed = change.kind === 'readAll' && Date.now() - followedMs > GAP_MS
  if (isMissed || (change.kind === 'change' && change.topic === 'catalogue')) readShopSoon()
}

/** The changes of `live`; those of goods, prices and settings make this tab read its shop again. */
export async function* liveChanges(
  connection: Connection,
  options: LiveOptions,
): AsyncGenerator<Change, void, undefined> {
  try {
    for await (const change of live(connection, options)) {
      readIfChanged(change)
      followedMs = Date.now()
      yield change
    }
  } finally {
    followedMs = Date.now()
  }
}

async function follow(outletId: string, signal: AbortSignal) {
  try {
    const connection = connect({ baseUrl: window.location.origin })
    for await (const _ of liveChanges(connection, { outletId, signal }));
  } catch {
    // The service refuses the stream, for example beyond the limit of streams: the shop is read every few minutes.
  }
}

/**
 * Follows the changes of the catalogue until `left` is aborted, so that a page shows a new price within two seconds
 * (E8). A hidden page has no stream. A tab that prints needs no second one: the stream of its print jobs carries these
 * changes too.
 */
export function followCatalogue(outletId: string, left: AbortSignal) {
  // The page may have been left while this file was loaded.
  if (left.aborted) return
  let stream: AbortController | null = null
  const check = () => {
    const isWanted =
      !left.aborted && document.visibilityState === 'visible' && !usePrinter.getState().isHolder
    if (isWanted === (stream !== null)) return
    stream?.abort()
    stream = isWanted ? new AbortController() : null
    if (stream) void follow(outletId, stream.signal)
  }
  const unsubscribe = usePrinter.subscribe(check)
  document.addEventListener('visibilitychange', check)
  left.addEventListener('abort', () => {
    unsubscribe()
    document.removeEventListener('visibilitychange', check)
    check()
  })
  check()
}
