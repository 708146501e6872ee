import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { startReferenceMarketingPartner } from '../../../reference-partners/src/marketing/index.ts'
import { makeLog } from '../../../src/platform/log/log.ts'
import { cloneDatabase } from '../../support/db.ts'
import { readJourney, settled, updated, walkTwice } from '../../support/readme.ts'
import { address, useService } from '../../support/service.ts'

const KEY = 'a-key-of-your-own'
const database = await cloneDatabase()
const partner = await startReferenceMarketingPartner({
  databaseUrl: database.url,
  port: 0,
  platformKey: KEY,
  webhookSecret: '',
  noticeUrl: null,
  log: makeLog('fatal'),
})
useService({ env: { MARKETING_PARTNER_URL: partner.url, MARKETING_PARTNER_KEY: KEY } })
afterAll(async () => {
  await partner.close()
  await database.drop()
})

const rootFile = (name: string) => fileURLToPath(new URL(`../../../${name}`, import.meta.url))
const named = (text: string) => settled(text).replaceAll(/\bkopi-\d{10}\b/g, 'kopi-…')
const PAGE = rootFile('docs/marketing.md')

test('the page about marketing works as printed', async () => {
  const steps = await readJourney(PAGE)
  expect(steps.length).toBeGreaterThan(4)
  const cwd = await mkdtemp(path.join(tmpdir(), 'kasir-marketing-'))
  const served = steps.map(({ commands, printed: text }) => ({
    commands: commands.replaceAll('http://127.0.0.1:3012', partner.url),
    printed: text,
  }))
  const printed = await walkTwice(served, address(), cwd, named)
  await rm(cwd, { recursive: true })
  if (process.env['UPDATE_README'])
    return writeFile(PAGE, updated(await readFile(PAGE, 'utf8'), printed.map(settled)))
  expect(printed.map(named)).toEqual(steps.map((step) => named(step.printed)))
}, 240_000)

test('the helpers of the page are those of the README', async () => {
  const [onPage] = await readJourney(PAGE)
  const [inReadme] = await readJourney(rootFile('README.md'))
  expect(onPage?.commands).toBe(inReadme?.commands)
})
