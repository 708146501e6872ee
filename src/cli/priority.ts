import { readdir } from 'node:fs/promises'
import { constants, setPriority } from 'node:os'
import { orNull } from '../platform/db/embedded/fault.ts'

const PROCESS = 0

/** Lets everybody else on this machine go first: what runs beside tills may take longer. Elsewhere it changes nothing. */
export async function stepBehind(): Promise<void> {
  // Linux keeps a priority for each thread, and those that compress and write files run already.
  const threads = (await orNull(readdir('/proc/self/task'))) ?? []
  for (const id of [PROCESS, ...threads.map(Number)]) {
    try {
      setPriority(id, constants.priority.PRIORITY_LOW)
    } catch {
      // The thread has ended, or the system does not allow it.
    }
  }
}
