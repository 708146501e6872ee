import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { median } from './figures.ts'
import { OUTLETS, THIRDS, WORKSPACES } from './sales-shop.ts'

/** Texts of one real sale, so that the yardstick's rows are as wide as the service's. */
export type Texts = {
  paymentEvent: string
  saleEvent: string
  cause: string
  reply: string
  fingerprint: string
}
export type Where = { spread: boolean; workspace?: number }

/** Seconds with a number of clients (32 by default), or a number of sales with one client. */
export type Limit = { seconds: number; clients?: number } | { count: number }

const clientsOf = (limit: Limit) => ('count' in limit ? 1 : (limit.clients ?? 32))

/** pgbench's random numbers of one sale; the bare client draws the same ones. */
const NUMBERS = [
  `\\set w random(:w_lo, :w_hi)`,
  `\\set o random(1, :outlets)`,
  ...THIRDS.flatMap(([low, high], index) => [
    `\\set v${index + 1} random(${low}, ${high})`,
    `\\set q${index + 1} random(1, 3)`,
    `\\set p${index + 1} 10000 + :v${index + 1} * 500`,
  ]),
  `\\set total :q1 * :p1 + :q2 * :p2 + :q3 * :p3`,
  `\\set tax :total * 1100 / 11100`,
  `\\set r random(1, 9999999999)`,
]

/**
 * The least that PostgreSQL must do for a cash sale with three items: one statement that writes the same rows, of the
 * same width, and checks nothing. Its events have a type that reports ignore, since reports are work of the service.
 */
export const STATEMENT = `with k as materialized (
  select x.*, 'txn_' || x.base || '00' as sale from (select
    'acc_' || lpad(cast(:w as text), 26, '0') as acc, 'out_' || lpad(cast(cast(:w as int) * 10 + cast(:o as int) as text), 26, '0') as outlet,
    'ak_' || lpad(cast(:w as text), 26, '0') as actor, cast(:w as int) as w, clock_timestamp() as t,
    lpad(cast(cast(extract(epoch from clock_timestamp()) * 1000 as bigint) as text), 14, '0') || lpad(cast(:r as text), 10, '0') as base,
    lpad(cast(:r as text), 10, '0') as r, cast(:total as bigint) as total, cast(:tax as bigint) as tax) x
), l as materialized (
  select n, 'var_' || lpad(cast(k.w * 1000 + v as text), 26, '0') as variant, 'prd_' || lpad(cast(k.w * 1000 + v as text), 26, '0') as product, v, q, p
  from k, (values (1, cast(:v1 as int), cast(:q1 as int), cast(:p1 as bigint)), (2, cast(:v2 as int), cast(:q2 as int), cast(:p2 as bigint)),
    (3, cast(:v3 as int), cast(:q3 as int), cast(:p3 as bigint))) x(n, v, q, p)
), lv as (
  insert into stock_levels as s (account_id, outlet_id, variant_id, id, quantity, created_at, updated_at)
  select k.acc, k.outlet, l.variant, 'lvl_' || k.base || '0' || l.n, -l.q, k.t, k.t from k, l order by l.variant
  on conflict (account_id, outlet_id, variant_id) do update set quantity = s.quantity + excluded.quantity, updated_at = excluded.updated_at
  returning variant_id, quantity
), num as (
  insert into outlet_days as d (account_id, outlet_id, day, last_number)
  select k.acc, k.outlet, cast(k.t at time zone 'Asia/Jakarta' as date), 1 from k, (select count(*) from lv) taken
  on conflict (account_id, outlet_id, day) do update set last_number = d.last_number + 1
  returning to_char(day, 'YYMMDD') || '-' || lpad(cast(last_number as text), 4, '0') as number
), s as (
  insert into sales (account_id, id, number, outlet_id, status, item_count, subtotal, discount_total, order_discount, tax_rate_bps,
    tax_inclusive, tax_total, delivery_fee, total, paid_total, change_total, cashier_id, created_at, updated_at, completed_at)
  select k.acc, k.sale, num.number, k.outlet, 'COMPLETED', 3, k.total, 0, 0, 1100, true, k.tax, 0, k.total, k.total, 10000, k.actor, k.t, k.t, k.t
  from k, num
), i as (
  insert into sale_items (account_id, sale_id, id, position, variant_id, product_id, product_name, variant_name, sku, quantity, unit_price,
    discount, order_discount_share, tax_amount, line_total, moved_stock, created_at, updated_at)
  select k.acc, k.sale, 'tli_' || k.base || '0' || l.n, l.n - 1, l.variant, l.product, 'Kopi Susu Gula Aren ' || l.v, 'Default',
    'SKU-' || lpad(cast(l.v as text), 6, '0'), l.q, l.p, 0, 0, l.q * l.p * 1100 / 11100, l.q * l.p, true, k.t, k.t
  from k, l
), p as (
  insert into payments (account_id, sale_id, id, method, amount, tendered, change, status, paid_at, created_at, updated_at)
  select k.acc, k.sale, 'pay_' || k.base || '00', 'CASH', k.total, k.total + 10000, 10000, 'PAID', k.t, k.t, k.t from k
), mv as (
  insert into stock_movements (account_id, id, outlet_id, variant_id, type, qty_delta, balance_after, transaction_id, unit_cost, actor_id,
    created_at, updated_at)
  select k.acc, 'stk_' || k.base || '0' || l.n, k.outlet, l.variant, 'SALE', -l.q, lv.quantity, k.sale, l.p, k.actor, k.t, k.t
  from k, l join lv on lv.variant_id = l.variant
), e as (
  insert into events (account_id, id, type, ref_id, body, cause, created_at)
  select k.acc, 'evt_' || k.base || '01', 'service.payment.received.v1', 'pay_' || k.base || '00', cast(:paymentEvent as text), cast(:cause as text), k.t from k
  union all
  select k.acc, 'evt_' || k.base || '02', 'service.payment.received.v1', k.sale, cast(:saleEvent as text), cast(:cause as text), k.t from k
), idem as (
  insert into idempotency_keys (account_id, key, fingerprint, status, body, created_at)
  select k.acc, k.r || '-' || k.base || '-', cast(:fingerprint as text), 201, cast(:reply as text), k.t from k
)
select number from num`

const span = ({ spread, workspace }: Where) => ({
  w_lo: workspace ?? 1,
  w_hi: workspace ?? (spread ? WORKSPACES : 1),
  outlets: spread ? OUTLETS : 1,
})

/** `p50` is in milliseconds and measured with a single client only. */
export type Pace = { perSecond: number; sales: number; p50: number }

/** pgbench in prepared mode. */
export async function pgbenchSales(
  url: string,
  dir: string,
  texts: Texts,
  where: Where,
  limit: Limit,
): Promise<Pace> {
  const file = path.join(dir, 'yardstick.sql')
  await writeFile(file, `${NUMBERS.join('\n')}\n${STATEMENT.replaceAll('\n', ' ')};\n`)
  const variables = Object.entries({ ...span(where), ...texts }).flatMap(([name, value]) => [
    '-D',
    `${name}=${value}`,
  ])
  const clients = clientsOf(limit)
  const amount = 'seconds' in limit ? ['-T', String(Math.ceil(limit.seconds))] : ['-t', String(limit.count)]
  const logs = path.join(dir, 'yardstick-log')
  const log = clients === 1 ? ['-l', `--log-prefix=${logs}`] : []
  const crowd = ['-c', String(clients), '-j', String(Math.min(2, clients))]
  const output = await outputOf('pgbench', [
    '-n',
    '-M',
    'prepared',
    ...crowd,
    ...amount,
    ...log,
    '-f',
    file,
    ...variables,
    url,
  ])
  const failed = /number of failed transactions: (\d+)/.exec(output)?.[1] ?? '0'
  const tps = /tps = ([\d.]+)/.exec(output)?.[1]
  const sold = /actually processed: (\d+)/.exec(output)?.[1]
  if (tps === undefined || sold === undefined || failed !== '0') throw new Error(`pgbench: ${output}`)
  const p50 = log.length === 0 ? Number.NaN : await medianOf(logs)
  return { perSecond: Number(tps), sales: Number(sold), p50 }
}

/** The third word of each line of pgbench's log is the time of a transaction, µs. */
async function medianOf(prefix: string): Promise<number> {
  const dir = path.dirname(prefix)
  const names = (await readdir(dir)).filter((name) => name.startsWith(`${path.basename(prefix)}.`))
  const times: number[] = []
  for (const name of names) {
    const lines = (await readFile(path.join(dir, name), 'utf8')).trimEnd().split('\n')
    times.push(...lines.map((line) => Number(line.split(' ')[2]) / 1000))
    await rm(path.join(dir, name))
  }
  return median(times)
}

/** The same statement from bare pg clients in two processes: for machines without pgbench. */
export async function bareSales(url: string, texts: Texts, where: Where, limit: Limit): Promise<Pace> {
  const clients = clientsOf(limit)
  const processes = Math.min(2, clients)
  const task: BareTask = {
    url,
    texts,
    span: span(where),
    limit,
    clients: clients / processes,
  }
  const entry = fileURLToPath(new URL('../processes/sales-bare.ts', import.meta.url))
  const outputs = await Promise.all(
    Array.from({ length: processes }, () =>
      outputOf(process.execPath, ['--import', 'tsx', entry], JSON.stringify(task)),
    ),
  )
  const paces = outputs.map((output) => JSON.parse(output) as Pace)
  return {
    perSecond: paces.reduce((total, pace) => total + pace.perSecond, 0),
    sales: paces.reduce((total, pace) => total + pace.sales, 0),
    p50: paces[0]?.p50 ?? Number.NaN,
  }
}

export type BareTask = {
  url: string
  texts: Texts
  span: ReturnType<typeof span>
  limit: Limit
  clients: number
}

/** The statement with numbered parameters, and a function that draws their values for one sale. */
export function bareStatement({ texts, span: { w_lo, w_hi, outlets } }: Pick<BareTask, 'texts' | 'span'>) {
  const names: string[] = []
  const text = STATEMENT.replaceAll(/:([a-z]\w*)/gi, (_, name: string) => {
    if (!names.includes(name)) names.push(name)
    return `$${names.indexOf(name) + 1}`
  })
  const between = (low: number, high: number) => low + Math.floor(Math.random() * (high - low + 1))
  const draw = () => {
    const values: Record<string, number | string> = {
      ...texts,
      w: between(w_lo, w_hi),
      o: between(1, outlets),
    }
    let total = 0
    THIRDS.forEach(([low, high], index) => {
      const [v, q] = [between(low, high), between(1, 3)]
      Object.assign(values, {
        [`v${index + 1}`]: v,
        [`q${index + 1}`]: q,
        [`p${index + 1}`]: 10_000 + v * 500,
      })
      total += q * (10_000 + v * 500)
    })
    Object.assign(values, { total, tax: Math.floor((total * 1100) / 11_100), r: randomInt(1, 9_999_999_999) })
    return names.map((name) => String(values[name]))
  }
  return { text, draw }
}

function outputOf(command: string, args: string[], input = ''): Promise<string> {
  return new Promise((done, fail) => {
    const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'] })
    let [output, faults] = ['', '']
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (faults += text))
    child.once('error', fail)
    child.once('close', (code) =>
      code === 0 ? done(output) : fail(new Error(`${command} ended with ${code}: ${faults}`)),
    )
    child.stdin.end(input)
  })
}
