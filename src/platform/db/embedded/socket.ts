import { connect } from 'node:net'
import { systemCode } from '../../../core/fault.ts'

/** The shortest limit among the supported systems (macOS: 104 with the terminating NUL). */
export const LONGEST_SOCKET_PATH = 103

/** The name of PostgreSQL's socket in its directory. */
export const POSTGRES_SOCKET = '.s.PGSQL.5432'

/** Connects to the socket at `path`. Returns null if a process accepts, else the system's error code. */
export function connectFault(path: string): Promise<string | null> {
  return new Promise((resolve) => {
    const socket = connect(path)
    socket.once('connect', () => {
      socket.destroy()
      resolve(null)
    })
    socket.once('error', (error) => resolve(systemCode(error)))
  })
}
