import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { readJourney, settled, updated, walk, walkTwice } from './support/readme.ts'
import { address, useService } from './support/service.ts'

useService({ env: { DEFAULT_TIER: 'free' } })

const README = fileURLToPath(new URL('../README.md', import.meta.url))

test('the first sale of the README works as printed on the free plan, also a second time', async () => {
  const steps = await readJourney(README)
  expect(steps.length).toBeGreaterThan(6)
  const cwd = await mkdtemp(path.join(tmpdir(), 'kasir-readme-'))
  const printed = await walkTwice(steps, address(), cwd)
  await rm(cwd, { recursive: true })
  if (process.env['UPDATE_README']) await writeFile(README, updated(await readFile(README, 'utf8'), printed))
  else expect(printed.map(settled)).toEqual(steps.map((step) => settled(step.printed)))
}, 120_000)

test('the helper of the README prints why a request was refused, and nothing else', async () => {
  const [helpers] = await readJourney(README)
  const refused = `(curl -s $API/outlets -H "$JSON" | show outlets.0.id) 2>&1 || echo "ended with $?"\n`
  const step = { commands: `${helpers?.commands ?? ''}${refused}`, printed: '' }
  const [printed] = await walk([step], address(), tmpdir())
  expect(printed).toBe(
    'AUTH_REQUIRED: Send `Authorization: Bearer <key>` with a valid API key, or sign in\nended with 1\n',
  )
}, 60_000)
