import { spawn } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { Agent, request } from 'undici'
import { query } from '../lib/database.ts'
import { fixed, table, whole } from '../lib/figures.ts'
import { type Bench, serviceOf, withShops } from '../lib/sales-run.ts'
import { accountId } from '../lib/sales-shop.ts'
import { CLI, commandEnvironment } from '../lib/service.ts'
import type { Options, Report, Suite } from '../lib/suite.ts'

const PRODUCTS = 20_000
const CONNECTIONS = 8

/** The import of goods: from a spreadsheet, and one by one from another system. */
export const catalogue: Suite = {
  name: 'catalogue',
  about: 'products/s of a CSV import and of POST /products over 8 connections',
  measure,
}

function measure({ seconds, quick, say }: Options): Promise<Report> {
  const count = quick ? 500 : PRODUCTS
  return withShops(async (bench) => {
    const imported = await importFile(bench, count)
    say(`import: ${whole(count)} products in ${fixed(imported)} s`)
    const posted = await postProducts(bench, seconds)
    say(`POST: ${whole(posted)} products/s`)
    return {
      title: 'Goods that come in',
      text: [
        `A CSV file of ${whole(count)} products with category, SKU, barcode and price, read by \`kasir import-catalogue\` (its start included), and POST /products with one variant each and an Idempotency-Key over ${CONNECTIONS} connections.`,
        table(
          ['', 'products/s'],
          [
            ['CSV', whole(count / imported)],
            ['POST', whole(posted)],
          ],
        ),
      ].join('\n\n'),
      rows: [
        {
          what: 'CSV import, products/s',
          measured: `${whole(count)} in ${fixed(imported)} s`,
          yardstick: '',
          value: count / imported,
          bar: { atLeast: 2_000 },
        },
        {
          what: `POST /products over ${CONNECTIONS} connections, products/s`,
          measured: '',
          yardstick: '',
          value: posted,
          bar: { atLeast: 300 },
        },
      ],
    }
  })
}

const countOf = async ({ database }: Bench, workspace: number) => {
  const [row] = await query<{ n: number }>(
    database.url,
    'select count(*)::int as n from products p join variants v on v.account_id = p.account_id and v.product_id = p.id where p.account_id = $1',
    [accountId(workspace)],
  )
  return row?.n ?? 0
}

/** Throws unless the books match the answers. */
async function grown<T>(
  bench: Bench,
  workspace: number,
  work: () => Promise<T>,
  by: (made: T) => number,
): Promise<T> {
  const before = await countOf(bench, workspace)
  const made = await work()
  const more = (await countOf(bench, workspace)) - before
  if (more !== by(made)) throw new Error(`${more} products in the books, ${by(made)} by the answers`)
  return made
}

/** Seconds of the whole command. */
async function importFile(bench: Bench, count: number): Promise<number> {
  const file = path.join(bench.database.dir, 'goods.csv')
  const rows = Array.from(
    { length: count },
    (_, n) => `Kopi nusantara ${n},Kategori ${n % 40},CSV-${n},${8_000_000_000_000 + n},${10_000 + n}`,
  )
  await writeFile(file, `product,category,sku,barcode,price\n${rows.join('\n')}\n`)
  const run = async () => {
    const began = performance.now()
    const child = spawn(process.execPath, [CLI, 'import-catalogue', file], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: {
        ...commandEnvironment(bench.database.url, path.join(bench.database.dir, 'import')),
        KASIR_API_KEY: bench.keys[0],
      },
    })
    const code = await new Promise<number | null>((done) => child.once('close', done))
    if (code !== 0) throw new Error(`the import ended with ${code}`)
    return (performance.now() - began) / 1000
  }
  return grown(bench, 1, run, () => count)
}

/** Products/s in another workspace. */
async function postProducts(bench: Bench, seconds: number): Promise<number> {
  const service = await serviceOf(bench)
  const agent = new Agent({ connections: CONNECTIONS, pipelining: 1 })
  let made = 0
  const post = async (until: number) => {
    while (performance.now() < until) {
      made += 1
      const n = made
      const answer = await request(`${service.address}/api/v1/products`, {
        dispatcher: agent,
        method: 'POST',
        headers: {
          authorization: `Bearer ${bench.keys[1]}`,
          'content-type': 'application/json',
          'idempotency-key': `product-${n}`,
        },
        body: JSON.stringify({
          name: `Teh nusantara ${n}`,
          variants: [{ name: 'Default', sku: `POST-${n}`, price: 10_000 + n }],
        }),
      })
      if (answer.statusCode !== 201) throw new Error(`a product was answered ${await answer.body.text()}`)
      await answer.body.dump()
    }
  }
  const postFor = async (time: number) => {
    const [before, began] = [made, performance.now()]
    await Promise.all(Array.from({ length: CONNECTIONS }, () => post(began + time * 1000)))
    return (made - before) / ((performance.now() - began) / 1000)
  }
  try {
    return await grown(
      bench,
      2,
      async () => {
        await postFor(seconds / 2)
        return postFor(seconds)
      },
      () => made,
    )
  } finally {
    await agent.close()
    await service.stop()
  }
}
