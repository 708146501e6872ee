import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readJourney, settled, updated, walkTwice } from '../../support/readme.ts'
import { type OwnService, ownService } from '../../support/service.ts'

let service: OwnService
beforeAll(async () => {
  service = await ownService()
  await service.start()
}, 240_000)
afterAll(() => service.end())

const PAGE = fileURLToPath(new URL('../../../docs/delivery.md', import.meta.url))

test('a sale is brought to the door with the lines of docs/delivery.md', async () => {
  const steps = await readJourney(PAGE)
  const cwd = await mkdtemp(path.join(tmpdir(), 'kasir-delivery-'))
  const printed = (await walkTwice(steps, service.address(), cwd)).map(settled)
  await rm(cwd, { recursive: true })
  if (process.env['UPDATE_README']) {
    return writeFile(PAGE, updated(await readFile(PAGE, 'utf8'), printed))
  }
  expect(printed).toEqual(steps.map((step) => settled(step.printed)))
  expect(steps.length).toBe(10)
}, 240_000)
