import { ApiError } from '../../core/errors.ts'

/** Lets `places` pieces of work run and `waiting` more queue; the next one is refused with 429 RATE_LIMITED. */
export type Gate = <T>(work: () => Promise<T>) => Promise<T>

export function gate(places: number, waiting: number): Gate {
  let free = places
  const queue: (() => void)[] = []
  const enter = () => {
    if (free > 0) {
      free -= 1
      return Promise.resolve()
    }
    if (queue.length >= waiting) {
      throw new ApiError('RATE_LIMITED', 'Too many people are signing in; try again in a few seconds', {
        headers: { 'retry-after': '2' },
      })
    }
    return new Promise<void>((resolve) => queue.push(resolve))
  }
  // A place is handed to the next in line, never freed in between: nobody overtakes.
  const leave = () => {
    const next = queue.shift()
    if (next) next()
    else free += 1
  }
  return async (work) => {
    await enter()
    try {
      return await work()
    } finally {
      leave()
    }
  }
}
