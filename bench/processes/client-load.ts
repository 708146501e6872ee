import { randomUUID } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import type { createKasir as CreateKasir } from '../../client/src/index.ts'

// Started by bench/suites/client.ts: callers that wait for each answer, by one of two ways.

export type ClientTask = {
  address: string
  key: string
  /** The entry of the built package. */
  packed: string
  connections: number
  seconds: number
  way: 'client' | 'fetch'
  what: 'read' | 'write'
}
/** `cpu` is processor time of this process, µs. */
export type ClientTurn = { requests: number; seconds: number; cpu: number }

/** Requests of a process before it is measured, so that its code is compiled. */
const WARM_UP = 30

const task = JSON.parse(await text(process.stdin)) as ClientTask
process.stdout.write(JSON.stringify(await turn(await callOf(task), task)))

async function callOf({ way, what, packed, address, key }: ClientTask): Promise<() => Promise<unknown>> {
  const { createKasir } = (await import(pathToFileURL(packed).href)) as { createKasir: typeof CreateKasir }
  const kasir = createKasir({ baseUrl: address, apiKey: key })
  const [outlet] = (await kasir.outlets.list()).outlets
  const id = outlet?.id ?? ''
  if (way === 'client') {
    return what === 'read' ? () => kasir.outlets.get({ id }) : () => kasir.customers.create({ name: 'Dewi' })
  }
  const headers = { authorization: `Bearer ${key}` }
  const taken = async (answer: Response) => {
    if (!answer.ok) throw new Error(`answered ${answer.status}: ${await answer.text()}`)
    return ((await answer.json()) as { data: unknown }).data
  }
  if (what === 'read') return async () => taken(await fetch(`${address}/api/v1/outlets/${id}`, { headers }))
  return async () =>
    taken(
      await fetch(`${address}/api/v1/customers`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json', 'idempotency-key': randomUUID() },
        body: JSON.stringify({ name: 'Dewi' }),
      }),
    )
}

async function turn(call: () => Promise<unknown>, { connections, seconds }: ClientTask): Promise<ClientTurn> {
  for (let n = 0; n < WARM_UP; n += 1) await call()
  const before = process.cpuUsage()
  const began = performance.now()
  const end = began + seconds * 1_000
  let requests = 0
  const caller = async () => {
    while (performance.now() < end) {
      await call()
      requests += 1
    }
  }
  await Promise.all(Array.from({ length: connections }, caller))
  const { user, system } = process.cpuUsage(before)
  return { requests, seconds: (performance.now() - began) / 1_000, cpu: user + system }
}
