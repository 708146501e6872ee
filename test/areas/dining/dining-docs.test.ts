import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { readJourney, settled, updated, walkTwice } from '../../support/readme.ts'
import { address, useService } from '../../support/service.ts'

useService({ env: { DEFAULT_TIER: 'free' } })

const rootFile = (name: string) => fileURLToPath(new URL(`../../../${name}`, import.meta.url))
const PAGE = rootFile('docs/dining.md')
const FOLLOW = /^kasir -N .*$/m

/**
 * The first terminal: the same line in the background of the same shell, as a curl that can be ended, once it
 * follows. Its file is emptied before, so that grep finds a file, and not that of the run before.
 */
const inBackground = (commands: string) =>
  commands.replace(
    FOLLOW,
    (line) => `: > first.txt
(curl() { exec curl "$@"; }; ${line}) > first.txt & FIRST=$!
for n in $(seq 200); do grep -q retry first.txt && break; sleep 0.1; done`,
  )

/** Ends the first terminal once it has heard of every board, or after twenty seconds. */
const ENDING = `for n in $(seq 200); do [ "$(grep -oE '"(kds|serve|floor)"' first.txt | sort -u | wc -l)" = 3 ] && break; sleep 0.1; done
kill $FIRST; wait $FIRST || true`

test('the dinner of the dining room works as printed, and the first terminal hears of every board', async () => {
  const steps = await readJourney(PAGE)
  const cwd = await mkdtemp(path.join(tmpdir(), 'kasir-dining-'))
  const here = steps.map(({ commands, printed }) => ({ printed, commands: inBackground(commands) }))
  expect(here.filter(({ commands }) => commands.includes('FIRST=$!'))).toHaveLength(1)
  const printed = await walkTwice([...here, { commands: ENDING, printed: '' }], address(), cwd)
  const frames = await readFile(path.join(cwd, 'first.txt'), 'utf8')
  await rm(cwd, { recursive: true })
  if (process.env['UPDATE_README'])
    return writeFile(PAGE, updated(await readFile(PAGE, 'utf8'), printed.map(settled)))
  expect(printed.map(settled)).toEqual([...steps.map((step) => settled(step.printed)), ''])
  expect(steps.length).toBe(9)
  const topics = [...frames.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data).topic)
  expect([...new Set(topics)].sort()).toEqual(['catalogue', 'floor', 'kds', 'serve'])
}, 240_000)

test('the helpers of the page are those of the README', async () => {
  const [onPage] = await readJourney(PAGE)
  const [inReadme] = await readJourney(rootFile('README.md'))
  expect(onPage?.commands).toBe(inReadme?.commands)
})
