const KEPT = 'kasir-clock'
/** The Date header has whole seconds, so a smaller difference says nothing. */
const LEAST_MS = 2_000
/** The answer of a slow line says too little about the time. */
const SLOWEST_MS = 5_000

let offsetMs = Number(localStorage.getItem(KEPT)) || 0

/** Learns from an answer how far the clock of this device is from that of the service. */
export function noteServerTime(date: string | null, sentMs: number, receivedMs: number) {
  const serverMs = Date.parse(date ?? '')
  if (Number.isNaN(serverMs) || receivedMs - sentMs > SLOWEST_MS) return
  const seen = Math.round(serverMs + 500 - (sentMs + receivedMs) / 2)
  if (Math.abs(seen - offsetMs) < LEAST_MS) return
  offsetMs = Math.abs(seen) < LEAST_MS ? 0 : seen
  try {
    localStorage.setItem(KEPT, String(offsetMs))
  } catch {
    // The next answer says it again.
  }
}

/** How far this device knows its clock to be behind that of the service, in ms. */
export const clockOffset = (): number => offsetMs

/** The present instant by the clock of the service, as far as this device knows it. */
export const serverNow = (): string => new Date(Date.now() + offsetMs).toISOString()
