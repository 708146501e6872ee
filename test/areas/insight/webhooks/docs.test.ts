import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { startDispatcher } from '../../../../src/platform/webhooks/dispatcher.ts'
import { readJourney, settled, updated, walkTwice } from '../../../support/readme.ts'
import { address, deps, useService } from '../../../support/service.ts'

useService({ env: { NODE_ENV: 'test', WEBHOOK_ALLOW_PRIVATE_URLS: '1', DEFAULT_TIER: 'free' } })

const rootFile = (name: string) => fileURLToPath(new URL(`../../../../${name}`, import.meta.url))
const PAGE = rootFile('docs/webhooks.md')

/** The page names a port that another program of this machine may have. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

test('a stranger receives and verifies an event with the lines of the page', async () => {
  const steps = await readJourney(PAGE)
  const cwd = await mkdtemp(path.join(tmpdir(), 'kasir-hooks-'))
  const port = String(await freePort())
  const dispatcher = startDispatcher({ ...deps(), random: () => 0.5 }, { lookEveryMs: 20 })
  const here = steps.map(({ commands, printed }) => ({
    printed,
    commands: commands.replaceAll('4000', port),
  }))
  const printed = await walkTwice(here, address(), cwd)
  await dispatcher.stop()
  await rm(cwd, { recursive: true })
  if (process.env['UPDATE_README'])
    return writeFile(PAGE, updated(await readFile(PAGE, 'utf8'), printed.map(settled)))
  expect(printed.map(settled)).toEqual(steps.map((step) => settled(step.printed)))
  expect(steps.length).toBe(7)
}, 240_000)

test('the helpers of the page are those of the README', async () => {
  const [onPage] = await readJourney(PAGE)
  const [inReadme] = await readJourney(rootFile('README.md'))
  expect(onPage?.commands).toBe(inReadme?.commands)
})
