import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { startPrinting } from '../../../../src/areas/dining/printers/index.ts'
import { readJourney, settled, updated, walkTwice } from '../../../support/readme.ts'
import { address, deps, useService } from '../../../support/service.ts'

useService({ env: { DEFAULT_TIER: 'free', PRINTER_NETWORKS: '127.0.0.0/8' } })

const rootFile = (name: string) => fileURLToPath(new URL(`../../../../${name}`, import.meta.url))
const PAGE = rootFile('docs/printing.md')

test('the evening of docs/printing.md prints what the page says', async () => {
  const worker = startPrinting(deps())
  const steps = await readJourney(PAGE)
  const cwd = await mkdtemp(path.join(tmpdir(), 'kasir-printing-'))
  const printed = await walkTwice(steps, address(), cwd)
  await worker.stop()
  await rm(cwd, { recursive: true })
  if (process.env['UPDATE_README'])
    return writeFile(PAGE, updated(await readFile(PAGE, 'utf8'), printed.map(settled)))
  expect(printed.map(settled)).toEqual(steps.map((step) => settled(step.printed)))
  expect(steps.length).toBe(12)
}, 240_000)

test('the helpers of the page are those of the README', async () => {
  const [onPage] = await readJourney(PAGE)
  const [inReadme] = await readJourney(rootFile('README.md'))
  expect(onPage?.commands).toBe(inReadme?.commands)
})
