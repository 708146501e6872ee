import { ApiError } from '../../core/errors.ts'
import { takeTurns } from '../turns.ts'

/** A position in the queue: lanes take turns, and within a lane its keys take turns. */
export type LaneKey<Lane extends string> = { lane: Lane; key: string }
export type Gate<Lane extends string> = <T>(place: LaneKey<Lane>, work: () => Promise<T>) => Promise<T>

export type Bounds = {
  /** Maximum number of concurrent tasks. */
  places: number
  /** Maximum number of waiting tasks per lane, and per key within a lane. */
  waiting: number
  waitingOfOne: number
  /** The error message when the queue is full. */
  crowded: string
}

/**
 * Runs up to `places` tasks concurrently and takes the next one from another lane than the last. A crowded lane thus
 * runs one task between two of another lane and never fills its queue; the same holds for the keys within a lane.
 * Throws 429 RATE_LIMITED if a queue is full.
 */
export function gate<Lane extends string>(lanes: readonly Lane[], bounds: Bounds): Gate<Lane> {
  let free = bounds.places
  const lines = new Map(lanes.map((lane) => [lane, takeTurns<() => void>()]))
  const enter = ({ lane, key }: LaneKey<Lane>) => {
    if (free > 0) {
      free -= 1
      return Promise.resolve()
    }
    const line = lines.get(lane)
    if (!line || line.size() >= bounds.waiting || line.size(key) >= bounds.waitingOfOne)
      throw tooMany(bounds.crowded)
    return new Promise<void>((resolve) => line.add(key, resolve))
  }
  const next = () => {
    for (const [lane, line] of lines) {
      const first = line.take()
      if (!first) continue
      // Moves the lane to the end, so the other lanes come first.
      lines.delete(lane)
      lines.set(lane, line)
      return first
    }
    return undefined
  }
  // A place passes directly to the next task in the queue, so no new task overtakes it.
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
