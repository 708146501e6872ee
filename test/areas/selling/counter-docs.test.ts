import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { readJourney, settled, updated, walkTwice } from '../../support/readme.ts'
import { address, useService } from '../../support/service.ts'

useService({ env: { DEFAULT_TIER: 'free' } })

const rootFile = (name: string) => fileURLToPath(new URL(`../../../${name}`, import.meta.url))
const PAGE = rootFile('docs/counter.md')

/** Times on the Z report differ from one run to the next. */
const timeless = (text: string) =>
  settled(text)
    .replaceAll(/\d{2}\/\d{2}\/\d{4}/g, 'DD/MM/YYYY')
    .replaceAll(/\d{2}[:.]\d{2}(?=\s*$)/gm, 'hh:mm')

test('the day at the counter works as printed, and its Z report explains every rupiah', async () => {
  const steps = await readJourney(PAGE)
  const cwd = await mkdtemp(path.join(tmpdir(), 'kasir-counter-'))
  const printed = await walkTwice(steps, address(), cwd, timeless)
  await rm(cwd, { recursive: true })
  if (process.env['UPDATE_README'])
    return writeFile(PAGE, updated(await readFile(PAGE, 'utf8'), printed.map(timeless)))
  expect(printed.map(timeless)).toEqual(steps.map((step) => timeless(step.printed)))
  expect(steps.length).toBe(10)
}, 240_000)

test('the helpers of the page are those of the README', async () => {
  const [onPage] = await readJourney(PAGE)
  const [inReadme] = await readJourney(rootFile('README.md'))
  expect(onPage?.commands).toBe(inReadme?.commands)
})
