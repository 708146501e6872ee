import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { connect, createServer, type Socket } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openRemote, type Remote } from '../../src/cli/remote.ts'
import { ACTS, BY_OTHERS } from '../../src/cli/trigger.ts'
import { isOffered } from '../../src/core/events.ts'
import { events } from '../../src/events.ts'
import { setNegativeStock } from '../support/build.ts'
import { done } from '../support/expect.ts'
import { kasir } from '../support/kasir.ts'
import { startReceiver } from '../support/receiver.ts'
import { acme, address, deps, useService } from '../support/service.ts'

const SLOW = 120_000
// The plan of the demo that the pages tell their readers to try these commands on.
useService({ env: { DEFAULT_TIER: 'free' } })

const env = () => ({ KASIR_API_KEY: acme().workspace.key, DATA_DIR: '/nonexistent/kasir' })
const addCustomer = async (name: string) => done(await acme().post('/customers', { name }))

/** A way to the service that can be cut and opened again. */
async function startWay() {
  const { hostname, port } = new URL(address())
  const open = new Set<Socket>()
  let isCut = false
  let refusals = 0
  let reads = 0
  const server = createServer((socket) => {
    if (isCut) {
      refusals += 1
      return void socket.destroy()
    }
    const there = connect(Number(port), hostname)
    for (const one of [socket, there]) {
      open.add(one)
      one.on('error', () => {}).on('close', () => open.delete(one))
    }
    socket.on('data', (chunk: Buffer) => {
      if (chunk.toString('latin1').startsWith('GET /api/v1/events')) reads += 1
    })
    socket.pipe(there).pipe(socket)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const hangUp = () => {
    for (const one of open) one.destroy()
  }
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut: () => {
      isCut = true
      hangUp()
    },
    refusals: () => refusals,
    /** Reads of the log that were sent. */
    reads: () => reads,
    mend: () => {
      isCut = false
    },
    stop: () => {
      hangUp()
      server.close()
    },
  }
}

test(
  'listen forwards what happens from now on, signed, once, also what happened while the connection was lost',
  async () => {
    const [receiver, way] = [await startReceiver(), await startWay()]
    await addCustomer('Before')
    const args = ['listen', '--forward-to', receiver.url, '--url', way.url]
    const types = ['--types', 'service.customer.created.v1,service.customer.deleted.v1']
    const names = () => receiver.received.map(({ body }) => JSON.parse(body).data.customer.name)
    const running = kasir([...args, ...types], env(), {
      after: /customer\.deleted\.v1 evt_\w+ → 200/,
      signal: 'SIGINT',
    })
    let made = 0
    // Until the command follows the log nothing is forwarded, so something happens again and again.
    await expect
      .poll(async () => (await addCustomer(`Ani ${(made += 1)}`), names().length), { timeout: 60_000 })
      .toBeGreaterThan(0)
    way.cut()
    const { product } = done(await acme().post('/products', { name: 'Kopi', variants: [{ price: 1_000 }] }))
    await addCustomer('While it was cut')
    await expect.poll(way.refusals, { timeout: 30_000 }).toBeGreaterThan(0)
    way.mend()
    await expect.poll(names, { timeout: 30_000 }).toContain('While it was cut')
    const { customer } = await addCustomer('The last')
    done(await acme().delete(`/customers/${customer.id}`))
    const { code, out, err } = await running
    expect([code, product.name]).toEqual([0, 'Kopi'])
    expect(err).toContain('; trying again\nThe service answers again\n')
    expect(names()).not.toContain('Before')
    const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
    expect(new Set(ids).size).toBe(ids.length)
    const [last, ...others] = receiver.types().reverse()
    expect([last, new Set(others)]).toEqual([
      'service.customer.deleted.v1',
      new Set(['service.customer.created.v1']),
    ])
    const secret = /^Signing secret: (whsec_\S+)$/m.exec(out)?.[1] ?? ''
    for (const { body, headers } of receiver.received) {
      new Webhook(secret).verify(body, headers as Record<string, string>)
      expect(JSON.parse(body)).toEqual({
        id: headers['webhook-id'],
        type: expect.stringMatching(/^service\.customer\.(?:created|deleted)\.v1$/),
        timestamp: expect.stringMatching(/Z$/),
        accountId: acme().workspace.accountId,
        data: expect.anything(),
      })
    }
    way.stop()
    receiver.stop()
  },
  SLOW,
)

test(
  'listen forwards no event of before its start, also if a transaction held it back then',
  async () => {
    const [receiver, way] = [await startReceiver(), await startWay()]
    const older = await deps().pool.connect()
    const names = () => receiver.received.map(({ body }) => JSON.parse(body).data.customer.name)
    const types = ['--types', 'service.customer.created.v1,service.customer.deleted.v1']
    await older.query('begin; select pg_current_xact_id()')
    await addCustomer('Held back')
    const running = kasir(['listen', '--forward-to', receiver.url, '--url', way.url, ...types], env(), {
      after: /customer\.deleted\.v1 evt_\w+ → 200/,
      signal: 'SIGINT',
    })
    // The second read continues at the cursor of the first.
    await expect.poll(way.reads, { timeout: 30_000 }).toBeGreaterThan(1)
    await older.query('commit')
    older.release()
    let made = 0
    await expect
      .poll(async () => (await addCustomer(`Budi ${(made += 1)}`), names().length), { timeout: 60_000 })
      .toBeGreaterThan(0)
    const { customer } = await addCustomer('The last')
    done(await acme().delete(`/customers/${customer.id}`))
    await running
    expect(names()).not.toContain('Held back')
    way.stop()
    receiver.stop()
  },
  SLOW,
)

test.each<[string, string[], Record<string, string>, string]>([
  [
    'a type that is none',
    ['--types', 'service.customer.create.v1'],
    {},
    'did you mean service.customer.created.v1?',
  ],
  ['a key that is none', [], { KASIR_API_KEY: 'kasir_sk_nothing' }, 'answered 401'],
  ['no service', ['--url', 'http://127.0.0.1:9'], {}, 'The service does not answer'],
  [
    'an address that is none',
    ['--forward-to', '127.0.0.1:4000'],
    {},
    '--forward-to must be an address with http',
  ],
])(
  'listen with %s says so in one line and ends',
  async (_, more, other, said) => {
    const args = ['listen', '--forward-to', 'http://127.0.0.1:9', '--url', address(), ...more]
    const { code, err } = await kasir(args, { ...env(), ...other })
    expect([code, err.trimEnd().split('\n')]).toEqual([
      2,
      [expect.stringContaining(said), 'See kasir --help'],
    ])
  },
  SLOW,
)

test(
  'trigger makes the event happen, and suggests a type for one that is none',
  async () => {
    const before = (await acme().events()).length
    const made = await kasir(['trigger', 'service.customer.deleted.v1', '--url', address()], env())
    expect([made.code, made.err]).toEqual([0, ''])
    expect((await acme().events()).slice(before)).toEqual([
      'service.customer.created.v1',
      'service.customer.deleted.v1',
    ])
    const wrong = await kasir(['trigger', 'service.sale.complete.v1', '--url', address()], env())
    expect([wrong.code, wrong.err]).toEqual([
      2,
      'No event has the type "service.sale.complete.v1"; did you mean service.sale.completed.v1?\nSee kasir --help\n',
    ])
  },
  SLOW,
)

describe('every type that webhooks are offered', () => {
  const offered = [...events.values()].filter(isOffered).map(({ name }) => name)
  let remote: Remote
  beforeAll(async () => {
    remote = await openRemote({ url: address(), 'api-key': acme().workspace.key })
    for (let made = 201, count = 0; made === 201 && count < 9; count += 1) {
      made = (await acme().post('/outlets', { name: `Outlet ${count}` })).status
    }
    await setNegativeStock(acme(), 'BLOCK')
  })
  afterAll(() => remote.close())

  const namesOf = async (list: string): Promise<string[]> =>
    done(await acme().get(`/${list}`))[list].map(({ name }: { name: string }) => name)

  test('is made by an act of trigger, or is said to be made by somebody else', () => {
    expect(offered.filter((type) => type in ACTS === type in BY_OTHERS)).toEqual([])
    expect(
      [...Object.keys(ACTS), ...Object.keys(BY_OTHERS)].filter((type) => !offered.includes(type as never)),
    ).toEqual([])
  })

  test.each(Object.keys(ACTS))('%s is in the log once its act was done, also a second time', async (type) => {
    for (const _ of [1, 2]) {
      const before = (await acme().events()).length
      await ACTS[type]?.(remote)
      expect((await acme().events()).slice(before)).toContain(type)
    }
  })

  test('acts leave one product and no outlet in a workspace whose plan has no room for more outlets', async () => {
    const outlets = await namesOf('outlets')
    for (const type of Object.keys(ACTS)) await ACTS[type]?.(remote)
    expect(await namesOf('outlets')).toEqual(outlets)
    expect((await namesOf('products')).filter((name) => name.includes('Trigger'))).toEqual(['Kopi Trigger'])
    expect((await acme().post('/outlets', { name: 'One more' })).status).toBe(403)
  })
})
