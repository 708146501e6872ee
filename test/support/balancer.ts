import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { end, freePort, shownIn, withValues } from './pooler.ts'

/** Debian's; null where there is none. */
export const haproxy: string | null = ['/usr/sbin/haproxy'].find((place) => existsSync(place)) ?? null

export type Balancer = { address: string; stop(): Promise<void> }

/** An haproxy with the settings of docs/scaling.md in front of three processes. */
export async function startBalancer(addresses: readonly [string, string, string]): Promise<Balancer> {
  if (haproxy === null) throw new Error('No haproxy found (Debian: apt-get install haproxy)')
  const room = await mkdtemp(path.join(tmpdir(), 'kasir-balancer-'))
  const port = await freePort()
  const hosts = addresses.map((address, at) => [`10.0.0.1${at + 1}:3000`, new URL(address).host] as const)
  const settings = withValues(await shownIn('haproxy'), [['bind :8080', `bind 127.0.0.1:${port}`], ...hosts])
  await writeFile(path.join(room, 'haproxy.cfg'), settings)
  const child = spawn(haproxy, ['-db', '-f', path.join(room, 'haproxy.cfg')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let told = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    told += text
  })
  const stop = async () => {
    await end(child, 'SIGKILL')
    await rm(room, { recursive: true, force: true })
  }
  const address = `http://127.0.0.1:${port}`
  for (const began = performance.now(); ; ) {
    const status = await fetch(`${address}/api/v1/health`).then(
      (response) => response.status,
      () => 0,
    )
    if (status === 200) return { address, stop }
    if (child.exitCode !== null || performance.now() - began > 10_000) {
      await stop()
      throw new Error(`haproxy does not answer: ${status} ${told}`)
    }
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
