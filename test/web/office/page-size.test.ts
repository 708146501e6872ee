import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { OFFICE_PAGES } from '../../../web/src/office/page-routes.ts'
import { describeInChromium } from '../../support/browser.ts'
import { enableModule, makeOutlet } from '../../support/build.ts'
import { startFulfillment } from '../../support/fulfillment.ts'
import { startReferencePayment } from '../../support/reference-payment.ts'
import { BUILT, requireBuiltRegister, visit } from '../../support/register-page.ts'
import { acme, address, useService } from '../../support/service.ts'

requireBuiltRegister()
const payments = await startReferencePayment()
const partner = await startFulfillment()
useService({ env: { ...payments.settings, ...partner.settings } })
afterAll(() => Promise.all([payments.close(), partner.close()]))

beforeAll(async () => {
  await makeOutlet(acme(), { name: 'Cikini' })
  // A page of a module that is switched off loads less.
  for (const module of ['payment', 'fulfillment', 'marketing'] as const) await enableModule(acme(), module)
})

const compressedBytes = (name: string) => gzipSync(readFileSync(`${BUILT}assets/${name}`)).length

describeInChromium('the back office', (browser) => {
  it('loads at most 220 kB of scripts for each of its pages', async () => {
    for (const { path } of OFFICE_PAGES) {
      const { page } = await visit(browser())
      const files = new Set<string>()
      page.on('response', (response) => {
        const name = /\/assets\/([^/]+\.js)$/.exec(new URL(response.url()).pathname)?.[1]
        // What the service worker keeps for later is not part of the page.
        if (name !== undefined && response.request().serviceWorker() === null) files.add(name)
      })
      await page.goto(address() + path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.waitForLoadState('networkidle')
      const kB = [...files].reduce((sum, name) => sum + compressedBytes(name), 0) / 1_024
      console.log(`${path}: ${kB.toFixed(1)} kB of scripts`)
      expect(files.size).toBeGreaterThan(2)
      expect(kB, path).toBeLessThan(220)
    }
  }, 240_000)
})
