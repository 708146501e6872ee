import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const BARE = fileURLToPath(new URL('../processes/reads-server.ts', import.meta.url))

/**
 * A process with bare routes `/0`, `/1` … which run what the service runs for these paths, and send the same bytes.
 */
export async function serveBare(databaseUrl: string, key: string, paths: readonly string[]) {
  const child = fork(BARE, [databaseUrl, key, ...paths], {
    execArgv: ['--import', import.meta.resolve('tsx')],
  })
  const ended = once(child, 'exit')
  const [address] = (await Promise.race([
    once(child, 'message'),
    ended.then(([code]) => {
      throw new Error(`the bare service ended with code ${code}`)
    }),
  ])) as [string]
  const stop = async () => {
    child.send('stop')
    await ended
  }
  return { address, pid: child.pid ?? 0, stop }
}
