import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'

// docs/tour.md is followed as printed: what it names exists, and its changes do what its wishes say.

const root = fileURLToPath(new URL('../..', import.meta.url))
const copies = join(root, '.tmp', 'tour')
afterAll(() => rmSync(copies, { recursive: true, force: true }))

type Stop = { wish: string; steps: string[]; file: string; from: string; to: string }

const stops: Stop[] = readFileSync(join(root, 'docs/tour.md'), 'utf8')
  .split('\n## ')
  .slice(1)
  .map((section) => {
    const [wish = ''] = section.split('\n', 1)
    const diff = /```diff\n--- (\S+)\n([^`]*(?:`[^`]+`[^`]*)*?)```/.exec(section)
    const lines = (diff?.[2] ?? '').split('\n')
    const side = (sign: string) =>
      lines.flatMap((line) => (line.startsWith(sign) ? [line.slice(1)] : [])).join('\n')
    const steps = [...section.matchAll(/^\d\. (.+(?:\n {3}.+)*)/gm)].map(([, step = '']) => step)
    return { wish, steps, file: diff?.[1] ?? '', from: side('-'), to: side('+') }
  })

/** What each wish comes to, from a function of the changed file. Typed by whoever reads it. */
// oxlint-disable-next-line typescript/no-explicit-any -- the module comes from a copy of the source
type Module = any
const SEEN: Record<string, { before: unknown; after: unknown; look(module: Module): unknown }> = {
  'The receipt should show the queue number': {
    before: ['No.', 'Waktu', 'Kasir'],
    after: ['No.', 'Antrian', 'Waktu', 'Kasir'],
    look: ({ rowsOf }) =>
      rowsOf(receipt)
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
}

const receipt = {
  sale: {
    number: '261121-0007',
    status: 'COMPLETED',
    refundStatus: 'NONE',
    orderType: null,
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

test('the tour has five wishes in five districts, each of three steps', () => {
  expect(stops.map(({ wish }) => wish)).toEqual(Object.keys(SEEN))
  expect(new Set(stops.map(({ file }) => file.split('/')[2])).size).toBe(5)
  for (const { steps } of stops) expect(steps).toHaveLength(3)
})

test.each(stops.map((stop) => [stop.wish, stop] as const))('%s: every step leads to the next', (_, stop) => {
  const [first = '', second = '', third = ''] = stop.steps
  const [, district = '', room = ''] = /\*\*(\w+)\*\*, room `([\w-]+)`/.exec(first) ?? []
  expect(readFileSync(join(root, 'README.md'), 'utf8')).toMatch(
    new RegExp(`^\\| ${district} \\|.*\\|.*\`${room}\``, 'm'),
  )
  const [, place = ''] = /`(src\/[^`]+)`/.exec(second) ?? []
  expect(place).toContain(`/${district.toLowerCase()}/${room}/`)
  expect(stop.file.startsWith(place)).toBe(true)
  const text = readFileSync(join(root, stop.file), 'utf8')
  expect(text.split(stop.from)).toHaveLength(2)
  for (const [, name = ''] of third.matchAll(/`(\w+)`/g)) expect(text).toContain(name)
})

test.each(stops.map((stop) => [stop.wish, stop] as const))('%s: the change does that', async (_, stop) => {
  const copy = join(copies, String(stops.indexOf(stop)))
  cpSync(join(root, 'src'), join(copy, 'src'), { recursive: true })
  const changed = join(copy, stop.file)
  writeFileSync(
    changed,
    readFileSync(changed, 'utf8').replace(stop.from, () => stop.to),
  )
  const seen = SEEN[stop.wish]
  expect(seen?.look(await import(/* @vite-ignore */ join(root, stop.file)))).toEqual(seen?.before)
  expect(seen?.look(await import(/* @vite-ignore */ changed))).toEqual(seen?.after)
})
