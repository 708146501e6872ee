import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'

// docs/tour.md is followed as printed: what it names exists, and its changes do what its wishes say.

const root = fileURLToPath(new URL('../..', import.meta.url))
const copies = join(root, '.tmp', 'tour')
afterAll(() => rmSync(copies, { recursive: true, force: true }))

type Change = { from: string; to: string }
type Diff = { file: string; changes: Change[] }
type Stop = { wish: string; text: string; steps: string[]; diffs: Diff[] }

/** The changes of a diff: some lines with `-` and the lines with `+` that take their place. */
function changesIn(lines: readonly string[]): Change[] {
  const changes: { from: string[]; to: string[] }[] = []
  for (const line of lines) {
    const isOld = line.startsWith('-')
    const latest = changes.at(-1)
    if (latest === undefined || (isOld && latest.to.length > 0)) changes.push({ from: [], to: [] })
    changes.at(-1)?.[isOld ? 'from' : 'to'].push(line.slice(1))
  }
  return changes.map(({ from, to }) => ({ from: from.join('\n'), to: to.join('\n') }))
}

const stops: Stop[] = readFileSync(join(root, 'docs/tour.md'), 'utf8')
  .split('\n## ')
  .slice(1)
  .map((text) => {
    const [wish = ''] = text.split('\n', 1)
    const steps = [...text.matchAll(/^\d\. (.+(?:\n {3}.+)*)/gm)].map(([, step = '']) => step)
    const diffs = [...text.matchAll(/```diff\n--- (\S+)\n([^]*?)\n```/g)].map(([, file = '', body = '']) => ({
      file,
      changes: changesIn(body.split('\n')),
    }))
    return { wish, text, steps, diffs }
  })

const isNew = ({ changes }: Diff) => changes.every(({ from }) => from === '')

function changed(before: string, { changes }: Diff): string {
  return changes.reduce((text, { from, to }) => {
    expect(text.split(from)).toHaveLength(2)
    return text.replace(from, () => to)
  }, before)
}

/** What each wish comes to, computed with functions of the changed files. */
// oxlint-disable-next-line typescript/no-explicit-any -- the module comes from a copy of the source
type Module = any
/** Loads a file of the source, from the copy or from the original. */
type Load = (file: string) => Promise<Module>
const SEEN: Record<string, { before: unknown; after: unknown; look(module: Module, load: Load): unknown }> = {
  'The receipt should show the queue number': {
    before: ['No.', 'Waktu', 'Kasir'],
    after: ['No.', 'Antrian', 'Waktu', 'Kasir'],
    look: ({ receiptRows }) =>
      receiptRows(receipt)
        .filter((row: { kind: string }) => row.kind === 'pair')
        .slice(0, -2)
        .map((row: { left: string }) => row.left),
  },
  'An invitation should work for two weeks': {
    before: '2026-11-08T09:00:00.000Z',
    after: '2026-11-15T09:00:00.000Z',
    look: ({ invitationEnd }) => invitationEnd('2026-11-01T09:00:00.000Z'),
  },
  'A recipe may contain a service': {
    before: 'Delivery is a service and has no stock to take from',
    after: 'taken',
    look: ({ requirePart }) => {
      const names = { productName: 'Delivery', variantName: 'Default' }
      try {
        requirePart({ ...names, isComposite: false, isLive: true, kind: 'SERVICE' }, 0, false)
        return 'taken'
      } catch (error) {
        return (error as Error).message
      }
    },
  },
  'Nothing should be sold on the day it expires': {
    before: [true, false, false],
    after: [true, true, false],
    look: ({ isExpired }) =>
      ['2026-11-20', '2026-11-21', '2026-11-22'].map((expiryDate) => isExpired({ expiryDate }, '2026-11-21')),
  },
  'One tap should take an item from new to ready': {
    before: 'PREPARING',
    after: 'READY',
    look: ({ advanceItem }) => advanceItem({ kitchenStatus: 'NEW', isActive: true }),
  },
  'Customers should pay with an e-wallet': {
    before: false,
    after: true,
    look: async (_, load) => {
      const { SaleIn } = await load('src/areas/selling/sales/schema.ts')
      return JSON.stringify(SaleIn.properties.payments).includes('"EWALLET"')
    },
  },
  'The margin report should show the average price': {
    before: [undefined, false],
    after: [16_667, true],
    look: async ({ marginOf }, load) => {
      const { ProductMargin } = await load('src/areas/insight/reports/schema.ts')
      const { avgPrice } = marginOf({ quantity: 3, revenue: 50_000, cost: 20_000, uncosted: 0 })
      return [avgPrice, 'avgPrice' in ProductMargin.properties]
    },
  },
  'A webhook should say that a supplier was added': {
    before: [undefined, false],
    after: ['A supplier was created.', true],
    look: async (_, load) => {
      const { events } = await load('src/events.ts')
      const { createSupplier } = await load('src/areas/stock/suppliers/service.ts')
      return [
        events.get('service.supplier.created.v1')?.meaning,
        String(createSupplier).includes('supplierCreated'),
      ]
    },
  },
}

const receipt = {
  sale: {
    number: '261121-0007',
    status: 'COMPLETED',
    refundStatus: 'NONE',
    orderType: null,
    promotions: [],
    createdAt: '2026-11-21T05:05:00.000Z',
    completedAt: '2026-11-21T05:05:00.000Z',
    outlet: { name: 'Kemang', address: null, phone: null, receiptHeader: null, receiptFooter: null },
    table: null,
    customer: null,
    items: [],
    payments: [],
    refunds: [],
    discountTotal: 0,
    promoDiscount: 0,
    discountCode: null,
    taxRateBps: 0,
    taxInclusive: false,
    taxTotal: 0,
    taxes: [],
    serviceCharge: null,
    roundingTotal: 0,
    deliveryFee: 0,
    subtotal: 0,
    total: 0,
    changeTotal: 0,
    remaining: 0,
  },
  business: { name: 'Kopi Senja', npwp: null, thanks: null },
  logo: null,
  taxLabel: 'Pajak',
  timezone: 'Asia/Jakarta',
  cashierName: 'Sari',
  pointsKept: 0,
  language: 'id',
}

test('the tour has eight wishes in six districts, each of three steps', () => {
  expect(stops.map(({ wish }) => wish)).toEqual(Object.keys(SEEN))
  expect(new Set(stops.map(({ steps }) => /\*\*(\w+)\*\*/.exec(steps[0] ?? '')?.[1])).size).toBe(6)
  for (const { steps } of stops) expect(steps).toHaveLength(3)
})

const textsUnder = (path: string): string[] =>
  statSync(path).isDirectory()
    ? readdirSync(path).flatMap((name) => textsUnder(join(path, name)))
    : [readFileSync(path, 'utf8')]

test.each(stops.map((stop) => [stop.wish, stop] as const))('%s: every step leads to the next', (_, stop) => {
  const [first = '', second = '', third = ''] = stop.steps
  const [, district = '', room = ''] = /\*\*(\w+)\*\*, room `([\w-]+)`/.exec(first) ?? []
  expect(readFileSync(join(root, 'README.md'), 'utf8')).toMatch(
    new RegExp(`^\\| ${district} \\| \`${room}\` \\|`, 'm'),
  )
  const [, place = ''] = /`(src\/[^`]+)`/.exec(second) ?? []
  // A rule that the register shares with its room is core.
  if (!place.startsWith('src/core/')) expect(place).toContain(`/${district.toLowerCase()}/${room}/`)
  expect(stop.diffs[0]?.file.startsWith(place)).toBe(true)
  const texts = textsUnder(join(root, place)).join('\n')
  for (const [, name = ''] of third.matchAll(/`(\w+)`/g)) expect(texts).toContain(name)
  for (const [, path = ''] of stop.text.matchAll(/`((?:src|migrations)\/[^`]*)`/g))
    expect(existsSync(join(root, path)), path).toBe(true)
  for (const diff of stop.diffs) expect(existsSync(join(root, diff.file)), diff.file).toBe(!isNew(diff))
})

test.each(stops.map((stop) => [stop.wish, stop] as const))('%s: the change does that', async (_, stop) => {
  const copy = join(copies, String(stops.indexOf(stop)))
  cpSync(join(root, 'src'), join(copy, 'src'), { recursive: true })
  for (const diff of stop.diffs) {
    const file = join(copy, diff.file)
    writeFileSync(
      file,
      isNew(diff) ? `${diff.changes[0]?.to ?? ''}\n` : changed(readFileSync(file, 'utf8'), diff),
    )
  }
  const seen = SEEN[stop.wish]
  const looked = async (folder: string) => {
    const load: Load = (file) => import(/* @vite-ignore */ join(folder, file))
    const [first] = stop.diffs
    return seen?.look(
      first && existsSync(join(folder, first.file)) ? await load(first.file) : undefined,
      load,
    )
  }
  expect(await looked(root)).toEqual(seen?.before)
  expect(await looked(copy)).toEqual(seen?.after)
})
