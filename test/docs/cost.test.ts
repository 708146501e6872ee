import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { bytesBySpan, costOf, type Footprint } from '../../scripts/lib/cost.ts'
import { ASSUMPTION_NAMES, ASSUMPTIONS, DEFAULTS, optionOf } from '../../scripts/lib/cost-assumptions.ts'
import { footprintFrom, readFootprint } from '../../scripts/lib/cost-footprint.ts'
import { readCostOptions } from '../../scripts/lib/cost-options.ts'
import { costPage } from '../../scripts/lib/cost-table.ts'

const FOOTPRINT: Footprint = {
  measured: '2026-01-01',
  machine: 'a machine',
  loadAtEnd: 1,
  perSale: {
    databaseMicroseconds: 2_000,
    serviceMicroseconds: 1_000,
    logBytes: 20_000,
    tableBytes: { sales: 5_000, events: 4_000, idempotency_keys: 1_000 },
  },
}
const SIZES = [1, 10, 300, 1_000, 7_000, 10_000, 60_000, 100_000, 500_000, 1_000_000]

test('an installation of one server costs what a calculation by hand gives', () => {
  const cost = costOf(1_000, FOOTPRINT, {
    ...DEFAULTS,
    sales: 36,
    hours: 10,
    peak: 10,
    years: 1,
    fill: 0.5,
    diskPrice: 0.1,
  })
  expect(cost).toMatchObject({
    isCluster: false,
    salesPerSecond: 10,
    machines: { service: 2, database: 1, coordinator: 0 },
    cores: { database: 8 },
  })
  // 36,000 sales a day: 5 kB for a year, 4 kB for 90 days, 1 kB for a day; half of the disk is free, one standby.
  expect(cost.dataGb).toBeCloseTo(78.696, 6)
  expect(cost.parts.disk).toBeCloseTo(31.4784, 6)
  // Two copies of 78.696 GB and 5.04 GB of log.
  expect(cost.parts.archive).toBeCloseTo(3.24864, 6)
  expect(cost.parts).toMatchObject({ service: 80, database: 200, standby: 200, balancer: 40 })
  expect(cost.total).toBeCloseTo(554.72704, 6)
  expect(cost.per1000).toBe(cost.total)
})

test('the parts of a cost make its total, and the total its share for 1,000 workspaces', () => {
  for (const workspaces of SIZES) {
    const { parts, total, per1000 } = costOf(workspaces, FOOTPRINT, DEFAULTS)
    expect(Object.values(parts).reduce((sum, part) => sum + part, 0)).toBeCloseTo(total, 6)
    expect((per1000 * workspaces) / 1_000).toBeCloseTo(total, 6)
  }
})

test('twice the sales never costs less, also where one server becomes a cluster and one cluster two', () => {
  for (const stepsDatabase of [1, 1.8])
    for (const workspaces of SIZES)
      for (let sales = 1; sales < 2_000; sales *= 1.37) {
        const assumptions = { ...DEFAULTS, stepsDatabase, sales }
        const once = costOf(workspaces, FOOTPRINT, assumptions)
        const twice = costOf(workspaces, FOOTPRINT, { ...assumptions, sales: sales * 2 })
        expect(twice.total, `${workspaces} workspaces with ${sales} sales`).toBeGreaterThanOrEqual(once.total)
      }
})

test('an installation is a cluster when its data exceeds the largest disk or its load the largest machine', () => {
  const big = { ...DEFAULTS, largestDisk: 1e6 }
  expect(costOf(10_000, FOOTPRINT, big).isCluster).toBe(false)
  expect(costOf(10_000, FOOTPRINT, { ...big, largestDisk: 1_000 }).isCluster).toBe(true)
  expect(costOf(10_000, FOOTPRINT, { ...big, sales: 10_000, years: 0.1 }).isCluster).toBe(true)
})

test('every standby doubles nothing but the servers of the database and their disks', () => {
  const without = costOf(1_000, FOOTPRINT, { ...DEFAULTS, replicas: 0 })
  const { parts } = costOf(1_000, FOOTPRINT, DEFAULTS)
  expect(without.parts).toEqual({ ...parts, standby: 0, disk: parts.disk / 2 })
})

test('the rows that stay, events and stored replies make the bytes of a sale', () => {
  expect(bytesBySpan(FOOTPRINT)).toEqual({ total: 10_000, forGood: 5_000, events: 4_000, keys: 1_000 })
})

test('measured figures of which one is missing are refused', async () => {
  const text = JSON.stringify(FOOTPRINT)
  expect(footprintFrom(text)).toEqual(FOOTPRINT)
  for (const broken of ['{}', text.replace('20000', '0'), text.replace('"logBytes":20000,', '')])
    expect(() => footprintFrom(broken)).toThrow('bench/footprint.json is incomplete')
  expect(() => footprintFrom(JSON.stringify({ perSale: { ...FOOTPRINT.perSale, tableBytes: {} } }))).toThrow()
})

describe('npm run cost', () => {
  test('takes every assumption as an option, and prints it beside the result', () => {
    for (const name of ASSUMPTION_NAMES) {
      const value = (ASSUMPTIONS[name].min + ASSUMPTIONS[name].max) / 2
      const options = readCostOptions([`--${optionOf(name)}`, String(value)])
      expect(options.assumptions).toEqual({ ...DEFAULTS, [name]: value })
      expect(costPage(FOOTPRINT, options)).toContain(
        `\`--${optionOf(name)}\` | ${value.toLocaleString('en-US')} |`,
      )
    }
  })

  test.each([
    ['a misspelt option', ['--salse', '3'], 'There is no option "--salse". Did you mean "--sales"?'],
    ['an option that is like no other', ['--zzzzzz', '3'], 'There is no option "--zzzzzz".'],
    ['a word', ['--sales', 'many'], '--sales is "many". Give a number from 0 to 1000000.'],
    ['a number below the range', ['--fill=0'], '--fill is "0". Give a number from 0.1 to 1.'],
    ['a number above the range', ['--headroom', '1'], '--headroom is "1". Give a number from 0 to 0.9.'],
    ['an option without a value', ['--sales'], '--sales has no value. Give a number from 0 to 1000000.'],
    ['a word that is no option', ['300'], '"300" is not an option.'],
    ['no workspaces', ['--workspaces', '0'], '--workspaces takes whole numbers'],
    ['workspaces in words', ['--workspaces', '10,many'], '--workspaces takes whole numbers'],
  ])('refuses %s and says why', (_, args, message) => {
    expect(() => readCostOptions(args)).toThrow(message)
  })

  test('computes the sizes that are named', async () => {
    const options = readCostOptions(['--workspaces', '5000,7000', '--sales', '300'])
    expect(costPage(await readFootprint(), options)).toContain('| Workspaces | 5,000 | 7,000 |')
  })
})

test('docs/scaling.md has the costs that follow from bench/footprint.json', async () => {
  const page = await readFile(new URL('../../docs/scaling.md', import.meta.url), 'utf8')
  expect(page).toContain(costPage(await readFootprint()))
})
