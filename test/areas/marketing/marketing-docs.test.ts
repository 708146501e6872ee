import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { readJourney, settled, updated, walk } from '../../support/readme.ts'
import { address, useService } from '../../support/service.ts'

useService()

const rootFile = (name: string) => fileURLToPath(new URL(`../../../${name}`, import.meta.url))
const PAGE = rootFile('docs/marketing.md')

test('the page about marketing works as printed', async () => {
  const steps = await readJourney(PAGE)
  expect(steps.length).toBeGreaterThan(4)
  const cwd = await mkdtemp(path.join(tmpdir(), 'kasir-marketing-'))
  const printed = await walk(steps, address(), cwd)
  await rm(cwd, { recursive: true })
  if (process.env['UPDATE_README'])
    return writeFile(PAGE, updated(await readFile(PAGE, 'utf8'), printed.map(settled)))
  expect(printed.map(settled)).toEqual(steps.map((step) => settled(step.printed)))
}, 120_000)

test('the helpers of the page are those of the README', async () => {
  const [onPage] = await readJourney(PAGE)
  const [inReadme] = await readJourney(rootFile('README.md'))
  expect(onPage?.commands).toBe(inReadme?.commands)
})
