import { appendFileSync, mkdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { authOf, type Route } from '../../src/platform/http/route.ts'
import { routes } from '../../src/routes.ts'
import type { Api } from '../support/api.ts'
import { enableModule } from '../support/build.ts'
import { delegateOf, memberOf, ownerOf } from '../support/clients.ts'
import { assertInvariants } from '../support/expect.ts'
import { operator as openOperator } from '../support/operator.ts'
import { enrolTill, lockedTill, memberWithPin, signedInAt } from '../support/pins.ts'
import { as, deps, globex, useService, workspace } from '../support/service.ts'
import { hasProbe, probeFor } from '../table/probes/index.ts'
import { type Draw, drawFrom } from './draw.ts'
import { type Operation, operations } from './operations.ts'
import { inEpisodes, RUNS } from './options.ts'
import { idFor, note, noteIds, type Seen, valueOf } from './values.ts'

useService()

const AT_ONCE = 6
const MAIN_CALLER_PERCENT = 55
/** Where every fault of a run is written while it goes on. */
const FAULTS = '.tmp/fuzz-faults.log'

type World = {
  seen: Seen
  owner: Api
  operator: Api
  callers: Api[]
  bodies: Map<string, Record<string, unknown>>
}

/** A workspace with a valid request for each operation, so that later requests meet records of every kind. */
async function openWorld(draw: Draw): Promise<World> {
  const owner = await workspace('Fuzzed')
  const seen: Seen = new Map()
  const bodies = new Map<string, Record<string, unknown>>()
  for (const module of ['payment', 'fulfillment', 'marketing'] as const) await enableModule(owner, module)
  const probed = routes.filter(
    (row) => hasProbe(row) && authOf(row) === 'credential' && row.access !== 'forward',
  )
  for (const row of probed.filter(() => draw.percent(60))) await learn(row, owner, seen, bodies)
  const [manager, cashier] = [await memberOf(owner, 'MANAGER'), await memberOf(owner, 'CASHIER')]
  const assistants = [
    await delegateOf(owner, manager.id, 'act'),
    await delegateOf(owner, manager.id, 'review'),
  ]
  const till = await enrolTill(owner)
  const byPin = [await memberWithPin(owner, 'MANAGER'), await memberWithPin(owner, 'CASHIER')]
  const callers = [
    await ownerOf(owner),
    manager.api,
    cashier.api,
    ...(await Promise.all(byPin.map((member) => signedInAt(till, member)))),
    lockedTill(till),
    ...assistants.map(({ api }) => api),
    globex(),
    as(null),
    as('kasir_sk_x'),
  ]
  return { seen, owner, operator: (await openOperator()).api, callers, bodies }
}

async function learn(row: Route, owner: Api, seen: Seen, bodies: World['bodies']): Promise<void> {
  const { params, query, body } = await probeFor(row, owner)
  for (const part of [params, query, body]) noteIds(seen, part)
  // The word before a placeholder says what it refers to: `/products/{id}` takes a product.
  for (const [, before = '', name = ''] of row.path.matchAll(/([\w-]+)\/\{(\w+)\}/g))
    note(seen, before, params?.[name] ?? 'x')
  if (body) bodies.set(row.name, body)
}

function pathFor(draw: Draw, { seen }: World, { path, params }: Operation): string {
  return path.replaceAll(/([\w-]+)\/\{(\w+)\}/g, (_, before: string, name: string) => {
    const isKnown = params.some((parameter) => parameter.name === name)
    return `${before}/${encodeURIComponent(isKnown ? idFor(draw, seen, before) : 'x')}`
  })
}

function queryFor(draw: Draw, { seen }: World, { query }: Operation): string {
  const search = new URLSearchParams()
  const share = draw.one([0, 10, 40])
  for (const { name, required, schema } of query) {
    if (!required && !draw.percent(share)) continue
    const value = valueOf(draw, seen, schema, name)
    search.set(name, typeof value === 'string' ? value : JSON.stringify(value))
  }
  return search.toString()
}

/** A valid body, a valid body with some fields replaced by random values, or a random body. */
function bodyFor(draw: Draw, world: World, operation: Operation): string | undefined {
  if (operation.body === null) return undefined
  if (draw.percent(1)) return draw.one(['', '[]', 'null', '{', '"x"'])
  const whole = valueOf(draw, world.seen, operation.body, '')
  const known = world.bodies.get(operation.id)
  if (known === undefined || draw.percent(30)) return JSON.stringify(whole)
  if (draw.percent(40)) return JSON.stringify(known)
  const fields = Object.entries((whole ?? {}) as object).filter(() => draw.percent(30))
  return JSON.stringify({ ...known, ...Object.fromEntries(fields) })
}

function callerOf(draw: Draw, { owner, operator, callers }: World, { id }: Operation): Api {
  if (draw.percent(id.startsWith('operator.') ? MAIN_CALLER_PERCENT : 2)) return operator
  return draw.percent(MAIN_CALLER_PERCENT) ? owner : draw.one(callers)
}

type Call = {
  operation: string
  method: string
  path: string
  body: string | undefined
  headers: Record<string, string>
  api: Api
}

function callFor(draw: Draw, world: World): Call {
  const operation = draw.one(operations)
  const search = queryFor(draw, world, operation)
  const body = bodyFor(draw, world, operation)
  return {
    operation: operation.id,
    method: operation.method,
    path: `${pathFor(draw, world, operation)}${search === '' ? '' : `?${search}`}`,
    body,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(operation.method !== 'GET' &&
        draw.percent(40) && {
          'idempotency-key': `k${draw.one([1, 2, 3, 4, 5])}-${draw.one(['a', 'b', 'c', 'd'])}`,
        }),
    },
    api: callerOf(draw, world, operation),
  }
}

/** How often each operation that was sent succeeded. */
type Successes = Map<string, number>

/** What is wrong with the answer; null if nothing is. */
async function faultOf(world: World, successes: Successes, call: Call): Promise<string | null> {
  const { operation, api, method, path, body, headers } = call
  successes.set(operation, successes.get(operation) ?? 0)
  try {
    const answer = await api.raw(method, path, body, headers)
    if (answer.status < 400) successes.set(operation, (successes.get(operation) ?? 0) + 1)
    // A partner that fails, or that this installation does not have, is no fault of the service.
    const isPartners =
      (answer.status === 502 && answer.error?.code === 'PARTNER_ERROR') ||
      (answer.status === 504 && answer.error?.code === 'PARTNER_TIMEOUT')
    if (answer.status >= 500 && !isPartners) return `${answer.status} ${answer.text}`
    const isEnvelope = typeof answer.error?.code === 'string' && typeof answer.meta?.requestId === 'string'
    if (answer.status >= 400 && !isEnvelope && !path.startsWith('/api/v1/public'))
      return `no envelope: ${answer.text}`
    if (api === world.owner) noteIds(world.seen, answer.data)
    return null
  } catch (error) {
    return (error as Error).message
  }
}

/** A random request may have ended the session of the operator. */
async function reopenOperator(world: World) {
  if ((await world.operator.get('/operator/overview')).status === 401)
    world.operator = (await openOperator()).api
}

/** Whether the credential of the owner still works: a random request may have ended it. */
const isOpen = async ({ owner }: World) => (await owner.get('/settings')).status !== 401

/** How many requests are sent between two looks at the credentials of the owner and the operator. */
const ROUND = 120

test('random requests get an answer that the document describes, and never a fault of the service', async () => {
  mkdirSync('.tmp', { recursive: true })
  const faults: string[] = []
  const successes: Successes = new Map()
  await inEpisodes(RUNS, async (seed, most) => {
    const draw = drawFrom(seed)
    const world = await openWorld(draw)
    let sent = 0
    do {
      const calls = Array.from({ length: AT_ONCE }, () => callFor(draw, world))
      const found = await Promise.all(calls.map((call) => faultOf(world, successes, call)))
      for (const [index, fault] of found.entries()) {
        const call = calls[index]
        if (fault === null || !call) continue
        const line = `seed ${seed}, request ${sent + index}: ${call.method} ${call.path} ${call.body ?? ''}\n  ${fault}`
        faults.push(line)
        appendFileSync(FAULTS, `${line}\n`)
      }
      sent += AT_ONCE
      if (sent % ROUND === 0) await reopenOperator(world)
    } while (sent < most && (sent % ROUND !== 0 || (await isOpen(world))))
    await assertInvariants(deps().db)
    console.log(`episode of seed ${seed}: ${sent} requests, ${faults.length} faults so far`)
    return sent
  })
  const neverSucceeded = operations.filter(({ id }) => !successes.get(id)).map(({ id }) => id)
  console.log(
    `Sent ${successes.size} of ${operations.length} operations. Never succeeded: ${neverSucceeded.join(', ') || 'none'}`,
  )
  expect(faults).toEqual([])
})
