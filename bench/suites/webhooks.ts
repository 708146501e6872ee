import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Agent, request } from 'undici'
import { newId } from '../../src/core/ids.ts'
import { makeDeps } from '../../src/main.ts'
import { readConfig } from '../../src/platform/config/config.ts'
import { makeLog } from '../../src/platform/log/log.ts'
import { startDispatcher } from '../../src/platform/webhooks/dispatcher.ts'
import { queueDeliveries } from '../../src/platform/webhooks/fan-out.ts'
import { newSigningSecret, secretLocation, signedHeaders } from '../../src/platform/webhooks/signature.ts'
import { freshDatabase, query, settle } from '../lib/database.ts'
import { fixed, median, percentile, table, whole } from '../lib/figures.ts'
import { BENCH_KEY } from '../lib/service.ts'
import { alternate, type Options, type Report, ratioOf, type Suite } from '../lib/suite.ts'

const ENDPOINTS = 20
/** The size of a sale of three lines. */
const BODY_BYTES = 2_500
const EVENTS_PER_SECOND = 200
/** Requests of the bare loop in flight, as many as the dispatcher has to the same endpoints. */
const BARE_PLACES = 190
/** They differ by a hundredth. */
const ROUNDS_OF_WAITS = 2

/**
 * Deliveries per second to endpoints on this machine, compared with a bare loop that posts the same bodies; one of
 * twenty endpoints is dead. Also the delay of an event, with a dead endpoint and without.
 */
export const webhooks: Suite = {
  name: 'webhooks',
  about: 'deliveries over a bare loop of posts, and what a dead endpoint costs its neighbours',
  measure,
}

async function measure({ seconds, rounds, say }: Options): Promise<Report> {
  const database = await freshDatabase()
  const receiver = await startReceiver()
  const deps = await makeDeps({ config: configAt(database.dir), url: database.url, log: makeLog('silent') })
  const dispatch = () => startDispatcher({ ...deps, random: Math.random })
  try {
    const perRound = Math.round(seconds * 1_000)
    const withDead = await openWorkspace(database.url, deps.secrets, receiver.url, ENDPOINTS, true)
    await settle(database.url)

    const service = async () => {
      await queue(database.url, withDead, Math.ceil(perRound / (ENDPOINTS - 1)))
      const wanted = Math.ceil(perRound / (ENDPOINTS - 1)) * (ENDPOINTS - 1)
      const began = performance.now()
      const dispatcher = dispatch()
      await receiver.arrived(wanted)
      const took = (performance.now() - began) / 1_000
      await dispatcher.stop()
      await receiver.take()
      await query(
        database.url,
        `update webhook_deliveries set status = 'failed', due_at = null where status = 'pending'`,
      )
      return wanted / took
    }
    const bare = async () => {
      const began = performance.now()
      await postBare(receiver.url, perRound)
      const took = (performance.now() - began) / 1_000
      await receiver.take()
      return perRound / took
    }
    await alternate(1, service, bare)
    const paces = await alternate(Math.max(rounds, 3), service, bare)
    const ratio = ratioOf(paces.a, paces.b)
    say(`  ${whole(median(paces.a))} deliveries/s, bare loop ${whole(median(paces.b))}/s: ${fixed(ratio)}`)

    const alone = await openWorkspace(database.url, deps.secrets, receiver.url, 1, false)
    const beside = await openWorkspace(database.url, deps.secrets, receiver.url, 2, true)
    const waitsOf = (accountId: string) => async () => {
      await receiver.take()
      const dispatcher = dispatch()
      await stream(database.url, accountId, seconds)
      await receiver.arrived(Math.floor(seconds) * EVENTS_PER_SECOND)
      await dispatcher.stop()
      const waits = await receiver.take()
      await query(
        database.url,
        `update webhook_deliveries set status = 'failed', due_at = null where status = 'pending'`,
      )
      return percentile(Float64Array.from(waits), 0.99)
    }
    const p99 = await alternate(Math.min(rounds, ROUNDS_OF_WAITS), waitsOf(alone), waitsOf(beside))
    const dead = median(p99.b) / median(p99.a)
    say(`  p99 ${whole(median(p99.a))} ms, with a dead neighbour ${whole(median(p99.b))} ms`)
    return {
      title: 'Webhooks',
      text: [
        `${ENDPOINTS} endpoints on this machine, one of which never answers; bodies of ${BODY_BYTES} bytes. The bare loop is undici with ${BARE_PLACES} posts in flight, signed alike. Times are from the event to the endpoint at ${EVENTS_PER_SECOND} events/s.`,
        table(
          ['', 'deliveries/s'],
          [
            ['service', whole(median(paces.a))],
            ['bare loop', whole(median(paces.b))],
          ],
        ),
        table(
          ['', 'p99, ms'],
          [
            ['alone', whole(median(p99.a))],
            ['beside a dead endpoint', whole(median(p99.b))],
          ],
        ),
      ].join('\n\n'),
      rows: [
        {
          what: 'deliveries/s over a bare loop',
          measured: `${whole(median(paces.a))}/s`,
          yardstick: `${whole(median(paces.b))}/s`,
          value: ratio,
          bar: { atLeast: 0.5 },
        },
        {
          what: `p99 of the first attempt at ${EVENTS_PER_SECOND} events/s, s`,
          measured: '',
          yardstick: '',
          value: median(p99.a) / 1_000,
          bar: { atMost: 2 },
        },
        {
          what: 'p99 beside a dead endpoint over without',
          measured: `${whole(median(p99.b))} ms`,
          yardstick: `${whole(median(p99.a))} ms`,
          value: dead,
          bar: { atMost: 1.2 },
        },
      ],
    }
  } finally {
    await deps.close()
    await receiver.stop()
    await database.stop()
  }
}

const configAt = (dir: string) =>
  readConfig({
    NODE_ENV: 'development',
    DATA_DIR: dir,
    SECRETS_KEY: BENCH_KEY,
    WEBHOOK_ALLOW_PRIVATE_URLS: '1',
    LOG_LEVEL: 'silent',
  })

async function openWorkspace(
  url: string,
  secrets: Awaited<ReturnType<typeof makeDeps>>['secrets'],
  receiver: string,
  endpoints: number,
  hasDead: boolean,
): Promise<string> {
  const accountId = newId('account')
  await query(
    url,
    'insert into accounts (account_id, name, created_at, updated_at) values ($1, $2, now(), now())',
    [accountId, 'Bench'],
  )
  for (let n = 0; n < endpoints; n += 1) {
    const id = newId('webhookSubscription')
    const secret = newSigningSecret()
    await query(
      url,
      `insert into webhook_subscriptions (account_id, id, url, events, status, secret, secret_last4, failure_streak, created_at, updated_at)
        values ($1, $2, $3, '{}', 'active', $4, $5, 0, now(), now())`,
      [
        accountId,
        id,
        hasDead && n === 0 ? `${receiver}/dead` : `${receiver}/hook`,
        secrets.seal(secret, secretLocation(accountId, id)),
        secret.slice(-4),
      ],
    )
  }
  return accountId
}

const bodyOf = (id: string, accountId: string) => {
  const event = {
    id,
    type: 'service.sale.completed.v1',
    timestamp: new Date().toISOString(),
    accountId,
    data: '',
  }
  return JSON.stringify({ ...event, data: 'x'.repeat(BODY_BYTES - JSON.stringify(event).length) })
}

/** Writes events and their queued deliveries, as the service does. */
async function queue(url: string, accountId: string, events: number) {
  const ids = Array.from({ length: events }, () => newId('event') as string)
  await query(
    url,
    `with written as (
      insert into events (account_id, id, type, ref_id, body, created_at)
      select $1::text, x.id, 'service.sale.completed.v1', x.id, x.body, now() from unnest($2::text[], $3::text[]) as x (id, body)
      returning id, type
    ) ${queueDeliveries('written', '$1::text', 'now()')}`,
    [accountId, ids, ids.map((id) => bodyOf(id, accountId))],
  )
}

/** Events at an even pace. */
async function stream(url: string, accountId: string, seconds: number) {
  const began = performance.now()
  const BURST = 10
  for (let sent = 0; sent < seconds * EVENTS_PER_SECOND; sent += BURST) {
    await queue(url, accountId, BURST)
    await sleep(Math.max(0, began + ((sent + BURST) * 1_000) / EVENTS_PER_SECOND - performance.now()))
  }
}

async function postBare(receiver: string, posts: number) {
  const agent = new Agent()
  const secret = newSigningSecret()
  let left = posts
  const work = async () => {
    while (left > 0) {
      left -= 1
      const id = newId('event')
      const body = bodyOf(id, 'acc_bare')
      const reply = await request(`${receiver}/hook`, {
        dispatcher: agent,
        method: 'POST',
        headers: { 'content-type': 'application/json', ...signedHeaders(secret, id, Date.now(), body) },
        body,
      })
      await reply.body.dump()
    }
  }
  await Promise.all(Array.from({ length: BARE_PLACES }, work))
  await agent.close()
}

const RECEIVER = fileURLToPath(new URL('../processes/webhooks-receiver.ts', import.meta.url))

async function startReceiver() {
  const child = fork(RECEIVER, [], { execArgv: ['--import', import.meta.resolve('tsx')] })
  const ask = async <T>(word: string): Promise<T> => {
    child.send(word)
    const [answer] = (await once(child, 'message')) as [T]
    return answer
  }
  const [{ url }] = (await once(child, 'message')) as [{ url: string }]
  return {
    url,
    take: async () => (await ask<{ waits: number[] }>('take')).waits,
    arrived: async (wanted: number) => {
      const began = performance.now()
      while ((await ask<{ count: number }>('count')).count < wanted) {
        if (performance.now() - began > 120_000) throw new Error('the deliveries do not arrive')
        await sleep(5)
      }
    },
    stop: async () => {
      child.send('stop')
      await once(child, 'exit')
    },
  }
}
