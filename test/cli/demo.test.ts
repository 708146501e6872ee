import { expect, test } from 'vitest'
import { createApp } from '../../src/app.ts'
import { addDays, addMs, startOfDay } from '../../src/core/time.ts'
import { planDays } from '../../src/demo/days.ts'
import { furnish, openWorkspace } from '../../src/demo/furnish.ts'
import { manualClock } from '../../src/platform/clock.ts'
import { deps, useService } from '../support/service.ts'

const clock = manualClock('2026-10-01T00:00:00Z')
useService({ clock })

type Told = { visits: number; seen: number; missed: number }

/** The story of the pharmacy, whose goods come in batches, told up to the evening of `lastDay`. */
async function pharmacyUntil(lastDay: string, days: number, share: number): Promise<Told> {
  const firstDay = addDays(lastDay, 1 - days)
  clock.set(addMs(startOfDay(firstDay, 'Asia/Jakarta'), 5 * 3_600_000))
  const app = await createApp(deps())
  try {
    const login = { email: `demo-${lastDay}-${share}@kasir.example`, password: 'a long password' }
    const owner = await openWorkspace(app, login)
    const furnished = await furnish(app, { owner, login, today: firstDay })
    const told = { seen: 0, missed: 0 }
    const { visits, tell } = planDays({
      clock,
      // The pharmacy is the third outlet of the demo, whose seed is 17.
      seed: 19,
      furnished: { ...furnished, places: furnished.places.filter(({ key }) => key === 'pharmacy') },
      firstDay,
      days,
      until: addMs(startOfDay(lastDay, 'Asia/Jakarta'), 22 * 3_600_000),
      share,
      onVisit: () => told.seen++,
      onMissed: () => told.missed++,
      goesOn: () => true,
    })
    await tell()
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
    const { visits, seen, missed } = await pharmacyUntil(day, 31, 1)
    expect(visits).toBeGreaterThan(300)
    expect([seen, missed]).toEqual([visits, 0])
  },
  120_000,
)

test('a visitor who wants more than the shelves hold leaves, and the story goes on', async () => {
  const { visits, seen, missed } = await pharmacyUntil('2026-11-15', 2, 20)
  expect(seen).toBe(visits)
  expect(missed).toBeGreaterThan(0)
  expect(missed).toBeLessThan(visits)
}, 120_000)
