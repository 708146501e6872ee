import { randomUUID } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { percentile } from '../lib/figures.ts'
import { OUTLETS, outletId, priceOf, THIRDS, variantId } from '../lib/sales-shop.ts'

/**
 * 32 tills on bare sockets. The load shares the processors with the service and the database, so it reads only the
 * status and the end of an answer.
 */
export type LoadTask = {
  /** The addresses of the processes; the tills are spread over them. */
  addresses: string[]
  keys: string[]
  /** One hot outlet, or all outlets of all workspaces. */
  spread: boolean
  connections: number
  /** The first workspace that sells, 1 if left out. */
  from?: number
  /** A till starts a sale at most once in so many milliseconds; without it, as soon as the last one is answered. */
  everyMs?: number
  limit: { seconds: number } | { count: number }
  /** In turn instead of at random: `TOUR` sales touch every workspace, outlet and variant. */
  tour?: boolean
  /** Each sale is a bill: it is parked, half of it is paid, and a second payment covers it. */
  bills?: boolean
  /** The sale is completed without payments, so the service books its total as cash. */
  paysWhole?: boolean
}
export type LoadResult = {
  sales: number
  units: number
  perSecond: number
  p50: number
  p99: number
  /** Processor time of this process, µs. */
  cpu: number
  refused: string[]
}

const between = (low: number, high: number) => low + Math.floor(Math.random() * (high - low + 1))

const HEAD_END = Buffer.from('\r\n\r\n')
const STATUS_AT = 'HTTP/1.1 '.length

type Till = {
  socket: Socket
  sentAt: number
  workspace: number
  units: number
  total: number
  rest: Buffer | null
  /** The bill that needs payments, and their number. */
  bill: string
  toPay: number
}

async function run(task: LoadTask): Promise<LoadResult> {
  const heads = task.keys.map(
    (key) =>
      ` HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${key}\r\ncontent-type: application/json\r\n`,
  )
  const samples: number[] = []
  const refused: string[] = []
  const sold = { sales: 0, units: 0 }
  const began = performance.now()
  const idle = process.cpuUsage()
  const now = () => performance.now()
  const goesOn = () => {
    if (refused.length > 20) return false
    if ('count' in task.limit) return sold.sales + refused.length + inFlight <= task.limit.count
    return now() - began < task.limit.seconds * 1000
  }
  let inFlight = 0

  const write = (till: Till, path: string, body: string) =>
    void till.socket.write(
      `POST /api/v1/sales${path}${heads[till.workspace - 1]}idempotency-key: ${randomUUID()}\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    )

  const pay = (till: Till) => {
    const half = Math.floor(till.total / 2)
    const amount = till.toPay === 2 ? half : till.total - half
    till.toPay -= 1
    write(till, `/${till.bill}/payments`, `{"method":"CASH","amount":${amount}}`)
  }

  let sent = 0
  const send = (till: Till) => {
    const step = Math.floor(sent / (task.spread ? task.keys.length : 1))
    const pick = (low: number, high: number, turn: number) =>
      task.tour ? low + (turn % (high - low + 1)) : between(low, high)
    const w = task.spread ? pick(task.from ?? 1, task.keys.length, sent) : 1
    const o = task.spread ? pick(1, OUTLETS, step) : 1
    sent += 1
    let total = 0
    till.units = 0
    const items = THIRDS.map(([low, high]) => {
      const [v, quantity] = [pick(low, high, step), between(1, 3)]
      total += quantity * priceOf(v)
      till.units += quantity
      return `{"variantId":"${variantId(w, v)}","quantity":${quantity}}`
    })
    till.workspace = w
    till.total = total
    till.sentAt = now()
    const goods = `"outletId":"${outletId(w, o)}","items":[${items.join(',')}]`
    if (task.bills) {
      till.toPay = 2
      return write(till, '', `{${goods},"status":"PARKED"}`)
    }
    if (task.paysWhole) return write(till, '', `{${goods},"status":"COMPLETED"}`)
    write(
      till,
      '',
      `{${goods},"payments":[{"method":"CASH","amount":${total},"tendered":${total + 10_000}}]}`,
    )
  }

  /** True once the whole answer has arrived. */
  const receive = (till: Till, chunk: Buffer): boolean => {
    const bytes = till.rest === null ? chunk : Buffer.concat([till.rest, chunk])
    const headEnd = bytes.indexOf(HEAD_END)
    if (headEnd < 0) {
      till.rest = bytes
      return false
    }
    const head = bytes.toString('latin1', 0, headEnd)
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1])
    if (bytes.length < headEnd + HEAD_END.length + length) {
      till.rest = bytes
      return false
    }
    till.rest = null
    const ended = now()
    const status = head.slice(STATUS_AT, STATUS_AT + 3)
    const expected = task.bills && till.toPay < 2 ? '200' : '201'
    if (status === expected && till.toPay > 0) {
      if (till.toPay === 2) till.bill = /"id":"(txn_\w+)"/.exec(bytes.toString('latin1', headEnd))?.[1] ?? ''
    } else if (status === expected) {
      sold.sales += 1
      sold.units += till.units
      samples.push(ended - till.sentAt)
    } else {
      till.toPay = 0
      refused.push(bytes.toString('utf8', 0, 600))
    }
    return true
  }

  const till = (n: number) =>
    new Promise<void>((done, fail) => {
      const { hostname, port } = new URL(task.addresses[n % task.addresses.length] ?? '')
      const socket = connect(Number(port), hostname)
      const one: Till = {
        socket,
        sentAt: 0,
        workspace: 1,
        units: 0,
        total: 0,
        rest: null,
        bill: '',
        toPay: 0,
      }
      const next = () => {
        inFlight += 1
        if (goesOn()) return send(one)
        inFlight -= 1
        socket.end()
        done()
      }
      socket.setNoDelay(true)
      socket.once('connect', next)
      socket.once('error', fail)
      socket.once('close', () => fail(new Error('the service closed a connection')))
      socket.on('data', (chunk: Buffer) => {
        if (!receive(one, chunk)) return
        if (one.toPay > 0) return pay(one)
        inFlight -= 1
        const pauseMs = (task.everyMs ?? 0) - (now() - one.sentAt)
        if (pauseMs > 0) setTimeout(next, pauseMs)
        else next()
      })
    })
  await Promise.all(Array.from({ length: task.connections }, (_, n) => till(n)))
  const seconds = (now() - began) / 1000
  const used = process.cpuUsage(idle)
  const times = Float64Array.from(samples)
  return {
    ...sold,
    perSecond: sold.sales / seconds,
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
    cpu: used.user + used.system,
    refused: refused.slice(0, 3),
  }
}

const task = JSON.parse(await text(process.stdin)) as LoadTask
process.stdout.write(JSON.stringify(await run(task)))
