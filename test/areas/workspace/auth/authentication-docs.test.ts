import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { programCommand } from '../../../support/program.ts'
import { readJourney, settled, updated, walk } from '../../../support/readme.ts'
import { address, deps, useService } from '../../../support/service.ts'

/** A port that nobody has at the moment. */
async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

const PRINTED_PORT = '9400'
const port = String(await freePort())
const provider = `http://127.0.0.1:${port}`
useService({
  env: {
    IDP_ISSUER: provider,
    IDP_AUDIENCE: 'kasir',
    IDP_JWKS_URL: `${provider}/jwks.json`,
    DEFAULT_TIER: 'free',
  },
})

const rootFile = (name: string) => fileURLToPath(new URL(`../../../../${name}`, import.meta.url))
const PAGE = rootFile('docs/authentication.md')

/** The command of this clone, on the database and the key of the service under test. */
const commandLine = () =>
  [
    `DATABASE_URL=${deps().pool.options.connectionString} DATA_DIR=${deps().config.dataDir} ALLOW_UNSAFE_DATABASE=1`,
    programCommand(),
  ].join(' ')
const nameless = (text: string) => text.replaceAll(/dlg_\S+, until \S+/g, 'dlg_…, until …')

test('the page of the credentials works as printed on the free plan, also a second time', async () => {
  const steps = await readJourney(PAGE)
  const cwd = await mkdtemp(path.join(tmpdir(), 'kasir-credentials-'))
  const here = steps.map((step) => ({
    ...step,
    commands: step.commands.replaceAll(PRINTED_PORT, port).replace('npm --silent start --', commandLine()),
  }))
  expect(here.filter(({ commands }) => commands.includes(commandLine()))).toHaveLength(1)
  const printed = (await walk(here, address(), cwd)).map(nameless)
  // The same provider with another key under the same name is believed a minute later at the earliest.
  const withoutProvider = here.map((step) =>
    step.commands.includes('idp.mjs')
      ? { commands: (step.commands.match(/^(?:MEMBER|ACCOUNT)=.*$/gm) ?? []).join('\n'), printed: '' }
      : { ...step, printed: settled(step.printed) },
  )
  const again = (await walk(withoutProvider, address(), cwd)).map(nameless)
  await rm(cwd, { recursive: true })
  if (process.env['UPDATE_README'])
    return writeFile(PAGE, updated(await readFile(PAGE, 'utf8'), printed.map(settled)))
  expect(printed.map(settled)).toEqual(steps.map((step) => settled(step.printed)))
  expect(again.map(settled)).toEqual(withoutProvider.map(({ printed: text }) => text))
  expect(steps.length).toBe(6)
}, 240_000)

test('the helpers of the page are those of the README', async () => {
  const [onPage] = await readJourney(PAGE)
  const [inReadme] = await readJourney(rootFile('README.md'))
  expect(onPage?.commands).toBe(inReadme?.commands)
})
