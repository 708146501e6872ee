import { expect, test } from 'vitest'
import { createApp } from '../../src/app.ts'
import { addDays, addMs, startOfDay } from '../../src/core/time.ts'
import type { DemoClient } from '../../src/demo/client.ts'
import { planDays } from '../../src/demo/days.ts'
import { furnish, openWorkspace } from '../../src/demo/furnish.ts'
import type { DemoOutlet } from '../../src/demo/outlets.ts'
import { manualClock } from '../../src/platform/clock.ts'
import { assertInvariants } from '../support/expect.ts'
import { deps, useService } from '../support/service.ts'

const clock = manualClock('2026-10-01T00:00:00Z')
useService({ clock })

type Told = { visits: number; seen: number; missed: number }
type Period = { lastDay: string; days: number; share: number }

/** The story of some outlets, told up to the evening of `lastDay`; the owner then looks at the `result`. */
async function storyOf(
  keys: readonly DemoOutlet[],
  { lastDay, days, share }: Period,
  result = async (_owner: DemoClient) => {},
): Promise<Told> {
  const firstDay = addDays(lastDay, 1 - days)
  clock.set(addMs(startOfDay(firstDay, 'Asia/Jakarta'), 5 * 3_600_000))
  const app = await createApp(deps())
  try {
    const login = { email: `demo-${keys[0]}-${lastDay}-${share}@kasir.example`, password: 'a long password' }
    const owner = await openWorkspace(app, login)
    const furnished = await furnish(app, { owner, login, today: firstDay })
    const told = { seen: 0, missed: 0 }
    const { visits, tell } = planDays({
      clock,
      // The pharmacy is the third outlet of the demo, whose seed is 17.
      seed: keys[0] === 'pharmacy' ? 19 : 17,
      furnished: { ...furnished, places: furnished.places.filter(({ key }) => keys.includes(key)) },
      firstDay,
      days,
      until: addMs(startOfDay(lastDay, 'Asia/Jakarta'), 22 * 3_600_000),
      share,
      onVisit: () => told.seen++,
      onMissed: () => told.missed++,
      goesOn: () => true,
    })
    await tell()
    await result(furnished.owner)
    return { visits, ...told }
  } finally {
    await app.close()
  }
}

// The busy days and those of the deliveries fall differently in each of these months: they end on a Sunday, in mid-week and
// on a Saturday.
const ENDS = ['2026-11-15', '2026-11-18', '2026-11-21']

test.each(ENDS)(
  'a month that ends on %s is told to its end, and nobody at the pharmacy leaves',
  async (day) => {
    const { visits, seen, missed } = await storyOf(['pharmacy'], { lastDay: day, days: 31, share: 1 })
    expect(visits).toBeGreaterThan(300)
    expect([seen, missed]).toEqual([visits, 0])
  },
  120_000,
)

test('a visitor who wants more than the shelves hold leaves, and the story goes on', async () => {
  const { visits, seen, missed } = await storyOf(['pharmacy'], { lastDay: '2026-11-15', days: 2, share: 20 })
  expect(seen).toBe(visits)
  expect(missed).toBeGreaterThan(0)
  expect(missed).toBeLessThan(visits)
}, 120_000)

type Item = { soldBy: string; pack: { name: string } | null; priceListId: string | null }
type Sale = { channel: string | null; voucherCodes: string[]; items: Item[]; payments: { method: string }[] }

/** The newest sales, each whole. */
async function newestSales(owner: DemoClient): Promise<Sale[]> {
  const sales: Sale[] = []
  for (const { id } of await owner.get<{ id: string }[]>('/sales?limit=100'))
    sales.push((await owner.get<{ sale: Sale }>(`/sales/${id}`)).sale)
  return sales
}

async function expectEverything(owner: DemoClient) {
  const whole = await newestSales(owner)
  const items = whole.flatMap((sale) => sale.items)
  expect(items.filter(({ soldBy, pack }) => soldBy === 'WEIGHT' && pack === null)).not.toEqual([])
  expect(items.filter(({ pack }) => pack !== null)).not.toEqual([])
  const deliveries = whole.filter(({ channel }) => channel === 'GOFOOD')
  expect(deliveries).not.toEqual([])
  expect(deliveries.flatMap((sale) => sale.items).filter(({ priceListId }) => priceListId === null)).toEqual(
    [],
  )
  expect(whole.flatMap(({ payments }) => payments).map(({ method }) => method)).toContain('CREDIT')
  const days = 'from=2026-11-16&to=2026-11-22'
  const { promotions } = await owner.get<{ promotions: { name: string }[] }>(`/reports/promotions?${days}`)
  expect(promotions.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      'Happy hour kopi',
      'Paket latte dan croissant',
      'Pelanggan tetap',
      'Voucher Senja',
    ]),
  )
  const movements = await owner.get<{ reasonCode: string | null }[]>(
    '/inventory/movements?limit=100&type=ADJUSTMENT&from=2026-11-16&to=2026-11-22',
  )
  expect(movements.map(({ reasonCode }) => reasonCode)).toContain('WASTE')
  const { expenses } = await owner.get<{ expenses: { category: string | null }[] }>(
    `/reports/expenses?${days}`,
  )
  expect(expenses.map(({ category }) => category)).toContain('Belanja harian')
  await assertInvariants(deps().db)
}

test('a week of the café and the shop has weights, packs, promotions, deliveries, credit, expenses and waste', async () => {
  await storyOf(['cafe', 'shop'], { lastDay: '2026-11-22', days: 7, share: 0.35 }, expectEverything)
}, 120_000)
