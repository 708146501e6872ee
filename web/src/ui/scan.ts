/**
 * Tells a barcode scanner from a person: it types at least four characters, a digit among them, each within 30 ms, and
 * then Enter.
 */

const LEAST_CHARACTERS = 4
const MOST_GAP_MS = 30

export type ScanReading = { text: string; lastMs: number }
export const NO_READING: ScanReading = { text: '', lastMs: Number.NEGATIVE_INFINITY }

export type ScanStep = { reading: ScanReading; code: string | null }

/** Reads one key. `code` is the scanned code if this key completed a scan. */
export function readKey(reading: ScanReading, key: string, atMs: number): ScanStep {
  const isQuick = atMs - reading.lastMs <= MOST_GAP_MS
  if (key === 'Enter') {
    const isScan = isQuick && reading.text.length >= LEAST_CHARACTERS && /\d/.test(reading.text)
    return { reading: NO_READING, code: isScan ? reading.text : null }
  }
  // Shift comes before a capital letter and is no character.
  if (key === 'Shift') return { reading, code: null }
  // `3*` is a quantity; the code after it is read separately.
  if (key.length !== 1 || key === '*') return { reading: NO_READING, code: null }
  return { reading: { text: isQuick ? reading.text + key : key, lastMs: atMs }, code: null }
}

/** "3*" or "3x" before a scan or a tap: three of it. Null if the text is no such quantity. */
export function quantityIn(text: string): number | null {
  const digits = /^(\d{1,6})[*x×]$/.exec(text.trim())?.[1]
  const quantity = Number(digits ?? 0)
  return quantity >= 1 && quantity <= 100_000 ? quantity : null
}
