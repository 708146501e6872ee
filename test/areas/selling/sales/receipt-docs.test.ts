import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { manualClock } from '../../../../src/platform/clock.ts'
import { openShop } from '../../../support/build.ts'
import { printedBy } from '../../../support/escpos.ts'
import { readJourney, walkTwice } from '../../../support/readme.ts'
import { address, useService, workspace } from '../../../support/service.ts'

useService({ clock: manualClock('2026-11-21T05:05:00.000Z'), env: { DEFAULT_TIER: 'free' } })

const PAGE = fileURLToPath(new URL('../../../../docs/receipts.md', import.meta.url))

/** A printer in the network: keeps what each connection sent. */
async function openPrinter() {
  const jobs: Promise<Buffer>[] = []
  const server = createServer((socket) => {
    jobs.push(socket.toArray().then((parts) => Buffer.concat(parts as Buffer[])))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const at = server.address()
  if (at === null || typeof at === 'string') throw new Error('a printer has a port')
  return { port: at.port, jobs, close: () => server.close() }
}

test('the way from a sale to paper works as printed on the free plan, also a second time', async () => {
  const api = await workspace('Kopi Senja')
  const shop = await openShop(api, {
    name: 'Kopi Senja Cikini',
    address: 'Jl. Cikini Raya 21',
    taxRateBps: 1_000,
  })
  const items = [
    { variantId: shop.latte, quantity: 2, modifiers: [{ name: 'Oat milk', price: 5_000 }] },
    { variantId: shop.cake, quantity: 1 },
  ]
  const payments = [{ method: 'CASH', amount: 52_250, tendered: 60_000 }]
  expect((await api.post('/sales', { outletId: shop.outletId, items, payments })).status).toBe(201)

  const printer = await openPrinter()
  const cwd = await mkdtemp(path.join(tmpdir(), 'kasir-receipts-'))
  const steps = await readJourney(PAGE)
  expect(steps.length).toBe(4)
  const here = steps.map(({ commands, printed }) => ({
    printed,
    commands: commands
      .replace('kasir_sk_…', api.workspace.key)
      .replace('192.168.1.50', '127.0.0.1')
      .replace('9100', String(printer.port)),
  }))
  const printed = await walkTwice(here, address(), cwd)
  if (process.env['UPDATE_README']) {
    const page = await readFile(PAGE, 'utf8')
    await writeFile(PAGE, page.replace(/```text\n[\s\S]*?```/, `\`\`\`text\n${printed[2]}\`\`\``))
  } else expect(printed).toEqual(steps.map((step) => step.printed))
  const papers = (await Promise.all(printer.jobs)).map(printedBy)
  expect(papers.map(({ cuts }) => cuts)).toEqual([1, 1])
  for (const { lines } of papers)
    expect(lines.map(({ text }) => text)).toContain('TOTAL                  Rp 52.250')
  printer.close()
  await rm(cwd, { recursive: true })
}, 120_000)
