import fc from 'fast-check'
import { test } from 'vitest'
import { dayOf } from '../../src/core/time.ts'
import { manualClock } from '../../src/platform/clock.ts'
import { makeComposite, makeOutlet, makeVariant, setNegativeStock } from '../support/build.ts'
import { assertStockInvariants } from '../support/expect.ts'
import { deps, useService, workspace } from '../support/service.ts'
import { emptyBooks, type Shop, stockCommands } from '../support/stock-model.ts'

const clock = manualClock('2027-03-10T03:00:00Z')
useService({ clock })

// Half days, so that one outlet may already be in tomorrow while the other is not.
const HALF_DAY_MS = 43_200_000
const DATES = ['2027-03-09', '2027-03-11', '2027-03-13', '2027-12-31']

async function openShop(blocks: boolean): Promise<Shop> {
  const api = await workspace('Shop')
  const goods: Shop['goods'] = []
  for (const requiresBatch of [false, true, false])
    goods.push({ id: await makeVariant(api, { requiresBatch }), requiresBatch })
  const recipe: [number, number][] = [
    [0, 2],
    [1, 1],
  ]
  const id = await makeComposite(
    api,
    recipe.map(([component, units]) => [goods[component]?.id ?? '', units]),
  )
  const composite = { id, recipe }
  if (blocks) await setNegativeStock(api, 'BLOCK')
  const zones = ['Asia/Jakarta', 'Asia/Jayapura']
  const outlets: string[] = []
  for (const timezone of zones) outlets.push(await makeOutlet(api, { timezone }))
  clock.set('2027-03-10T03:00:00Z')
  const today = (outlet: number) => dayOf(clock.now(), zones[outlet] ?? 'UTC')
  return { api, outlets, goods, composite, today, laterOn: () => clock.advance(HALF_DAY_MS) }
}

test('after any days of counting, buying, moving, selling and giving back, the books agree with the shelf', async () => {
  const days = fc.commands(stockCommands({ outlets: 2, goods: 3 }, DATES), { maxCommands: 60, size: 'max' })
  await fc.assert(
    fc.asyncProperty(days, fc.boolean(), async (commands, blocks) => {
      const shop = await openShop(blocks)
      await fc.asyncModelRun(() => ({ model: emptyBooks(blocks), real: shop }), commands)
      await assertStockInvariants(deps().db)
    }),
    { numRuns: Number(process.env['SIM_RUNS'] ?? 6), endOnFailure: true },
  )
}, 120_000)
