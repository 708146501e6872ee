import { ApiError } from '../../core/errors.ts'

/** Who waits for what: lanes take turns, and inside a lane the keys that wait in it do. */
export type Place<Lane extends string> = { lane: Lane; key: string }
export type Gate<Lane extends string> = <T>(place: Place<Lane>, work: () => Promise<T>) => Promise<T>

export type Bounds = {
  /** Pieces of work that run at once. */
  places: number
  /** How many more may wait in one lane, and how many of them under one key. */
  waiting: number
  waitingOfOne: number
  /** The message for a caller who finds the line full. */
  crowded: string
}

/**
 * Runs `places` pieces of work at once, the next one from another lane than the last. So a crowd in one lane makes
 * every other lane wait for one piece of work between two of its own, and never fills its line; the same holds for
 * the keys inside a lane. Beyond the bounds the answer is 429 RATE_LIMITED.
 */
export function gate<Lane extends string>(lanes: readonly Lane[], bounds: Bounds): Gate<Lane> {
  let free = bounds.places
  const lines = new Map(lanes.map((lane) => [lane, turns<() => void>()]))
  const enter = ({ lane, key }: Place<Lane>) => {
    if (free > 0) {
      free -= 1
      return Promise.resolve()
    }
    const line = lines.get(lane)
    if (!line || line.size() >= bounds.waiting || line.sizeOf(key) >= bounds.waitingOfOne)
      throw tooMany(bounds.crowded)
    return new Promise<void>((resolve) => line.push(key, resolve))
  }
  const next = () => {
    for (const [lane, line] of lines) {
      const first = line.shift()
      if (!first) continue
      // To the end of the lanes: the others come before its next.
      lines.delete(lane)
      lines.set(lane, line)
      return first
    }
    return undefined
  }
  // A place is handed to the next in line, never freed in between: nobody overtakes.
  const leave = () => {
    const first = next()
    if (first) first()
    else free += 1
  }
  return async (place, work) => {
    await enter(place)
    try {
      return await work()
    } finally {
      leave()
    }
  }
}

const tooMany = (told: string) => new ApiError('RATE_LIMITED', told, { headers: { 'retry-after': '2' } })

/** Things in line under keys: the keys take turns, the things of one key leave in the order they came. */
function turns<T>() {
  const lines = new Map<string, T[]>()
  let size = 0
  return {
    size: () => size,
    sizeOf: (key: string) => lines.get(key)?.length ?? 0,
    push(key: string, thing: T) {
      const line = lines.get(key) ?? []
      line.push(thing)
      lines.set(key, line)
      size += 1
    },
    shift(): T | undefined {
      const [entry] = lines
      if (!entry) return undefined
      const [key, line] = entry
      const first = line.shift()
      lines.delete(key)
      if (line.length > 0) lines.set(key, line)
      size -= 1
      return first
    },
  }
}
