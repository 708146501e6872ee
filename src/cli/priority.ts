import { readdir } from 'node:fs/promises'
import { constants, setPriority } from 'node:os'
import { nullOnCodes } from '../core/fault.ts'

const PROCESS = 0

/** Lowers the priority of this process on Linux, so it does not slow the tills. Elsewhere it does nothing. */
export async function stepBehind(): Promise<void> {
  // Linux has a priority per thread, and the threads that compress and write files already run.
  const threads = (await nullOnCodes(readdir('/proc/self/task'))) ?? []
  for (const id of [PROCESS, ...threads.map(Number)]) {
    try {
      setPriority(id, constants.priority.PRIORITY_LOW)
    } catch {
      // The thread has ended, or the system does not allow it.
    }
  }
}
