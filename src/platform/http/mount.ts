import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type TObject, type TSchema, Type } from 'typebox'
import { assert } from '../../core/assert.ts'
import type { Page } from '../../core/cursor.ts'
import { authRequired, forbidden, malformed, notFound } from '../../core/errors.ts'
import { authenticate, type Identity, refuseCrossSite } from '../auth/authenticate.ts'
import { poolWaitMs } from '../db/open.ts'
import { fairPlaces, type Places, placesOf } from '../db/places.ts'
import type { Deps } from '../deps.ts'
import { ROLES, type Scope } from '../scope.ts'
import { listFrame, successText } from './envelope.ts'
import { fingerprintOf, passwordsOmitted } from './fingerprint.ts'
import { findReplay, type IdempotencyKey, type Reply, readKey, runWrite } from './idempotency.ts'
import { API_PREFIX, authOf, isUnsafe, type Route, recordOf, roleOf, statusAndValue } from './route.ts'
import { withNextStep } from './unknown-outcome.ts'
import { checker, isStorable, normalise, replyChecker } from './validate.ts'
import { type Listed, sendWhole } from './whole.ts'

declare module 'fastify' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- declarations merge only as interfaces
  interface FastifyContextConfig {
    /** Its answers hold a secret, so their length must not tell of it: they are never compressed. */
    isSecret?: boolean
  }
  // oxlint-disable-next-line typescript/consistent-type-definitions -- declarations merge only as interfaces
  interface FastifyRequest {
    identity: Identity | null
  }
}

const JSON_TYPE = 'application/json; charset=utf-8'

const fastifyPath = (path: string) => `${API_PREFIX}${path.replaceAll(/\{(\w+)\}/g, ':$1')}`

/** Looks at credentials that nobody has proved yet share one workspace's part of the connections. */
const STRANGERS = 'strangers'

/** Turns rows of the route table into served routes: policy is data, and this is the only place that enforces it. */
export function mount(app: FastifyInstance, deps: Deps, rows: readonly Route[]) {
  const places = fairPlaces({
    places: placesOf(deps.config.databasePoolSize),
    waitMs: poolWaitMs(deps.config.env),
  })
  for (const row of rows) mountOne(app, deps, row, places)
}

function mountOne(app: FastifyInstance, deps: Deps, row: Route, places: Places) {
  const parse = parserOf(row)
  const answer = answerOf(deps, row)
  const auth = authOf(row)
  app.route({
    method: row.method,
    url: fastifyPath(row.path),
    ...(row.bodyLimit === undefined ? {} : { bodyLimit: row.bodyLimit }),
    config: { isSecret: isSecret(row), countedByAddress: auth === 'session' && isUnsafe(row.method) },
    // Before the body is read: a caller without rights learns nothing from it (contract 26.3).
    onRequest: async (request) => {
      if (auth === 'credential') {
        const prove = () => authenticate(deps, request, request.now, { remember: row.provesKey })
        const lookup = request.credential && !request.isKnown
        request.identity = await (lookup ? places.within(STRANGERS, prove) : prove())
        admit(row, request.identity)
      }
      // Signing in is a write of the browser as well: no other site may sign a visitor in or out.
      if (auth === 'session') refuseCrossSite(deps.config, request)
    },
    handler: async (request, reply) => {
      const parts = parse(request)
      const { identity } = request
      const within: Within = (work) => (identity ? places.within(identity.accountId, work) : work())
      // A list that is written for as long as its reader takes holds a place for each portion only.
      if (row.whole || row.isShared?.(parts.query as never)) return answer(request, reply, parts, within)
      return within(() => answer(request, reply, parts, within))
    },
  })
}

/** Areas whose records are keys to something: sessions, API keys, the codes of gift cards. */
const SECRET_AREAS: readonly string[] = ['auth', 'api-keys', 'gift-cards']
const isSecret = (row: Route) => row.secret === true || SECRET_AREAS.includes(row.area)

function admit(row: Route, { actor }: Identity) {
  if (actor.readOnly && isUnsafe(row.method)) throw forbidden('This API key may only read')
  if (ROLES.indexOf(actor.role) < ROLES.indexOf(roleOf(row))) {
    throw forbidden(
      `This needs the role ${roleOf(row).toLowerCase()}; you are signed in as ${actor.role.toLowerCase()}`,
    )
  }
}

type Parts = { params: unknown; query: unknown; body: unknown }

/** Field names whose texts keep their spaces: passwords, marked in their schema. */
const verbatimOf = (row: Route): ReadonlySet<string> =>
  new Set(
    Object.entries(row.body?.properties ?? {})
      .filter(([, schema]) => (schema as { 'x-verbatim'?: boolean })['x-verbatim'])
      .map(([name]) => name),
  )

function parserOf(row: Route): (request: FastifyRequest) => Parts {
  const verbatim = verbatimOf(row)
  // A partner may add fields to its notices; any other caller is told about a field that nothing reads.
  const lenient = authOf(row) === 'signature'
  const checkQuery = checker(row.query ?? NO_FIELDS, 'query', { lenient })
  const checkBody = checker(row.body ?? NO_FIELDS, 'body', { record: recordOf(row), lenient })
  return (request) => {
    const params = request.params as Record<string, string>
    // An id that no record can have is an unknown id, whatever is wrong with it (contract 1.12).
    const strange = Object.values(params).some((id) => id.length === 0 || id.length > 64 || !isStorable(id))
    if (row.params && strange) throw notFound('resource')
    const query = request.query as Record<string, unknown>
    normalise(query, NOTHING)
    checkQuery(query)
    if (
      request.body !== undefined &&
      (typeof request.body !== 'object' || request.body === null || Array.isArray(request.body))
    ) {
      throw malformed('body', 'The body must be a JSON object')
    }
    const body = normalise(request.body ?? {}, verbatim)
    checkBody(body)
    return { params, query, body: row.body ? body : undefined }
  }
}

const NOTHING: ReadonlySet<string> = new Set()
const NO_FIELDS = Type.Object({})

const scopeOf = (deps: Deps, request: FastifyRequest): Scope => {
  if (!request.identity) throw authRequired()
  const { accountId, actor } = request.identity
  return {
    accountId,
    actor,
    tier: deps.config.defaultTier,
    requestId: request.id,
    now: request.now,
    boards: new Set(),
  }
}

/** The key of the list that a whole answer holds, and the shape of its rows. */
function wholeOf(row: Route): { key: string; items: TSchema | undefined } {
  if (!row.whole) return { key: '', items: undefined }
  const lists = Object.entries((row.returns as TObject).properties)
  const [[key, list] = ['', undefined]] = lists
  assert(lists.length === 1 && list !== undefined && 'items' in list, `${row.path} answers one list`)
  return { key, items: list.items as TSchema }
}

/** Runs what needs the database once the workspace has a place for it. */
type Within = <T>(work: () => Promise<T>) => Promise<T>

async function* readWithin(
  portions: AsyncIterable<readonly unknown[]>,
  within: Within,
  check: (row: unknown) => void,
) {
  const source = portions[Symbol.asyncIterator]()
  try {
    for (;;) {
      const { done, value: rows } = await within(() => source.next())
      if (done) return
      for (const row of rows) check(row)
      yield rows
    }
  } finally {
    await source.return?.()
  }
}

type Answer = (request: FastifyRequest, reply: FastifyReply, parts: Parts, within: Within) => Promise<unknown>

const send = (
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  data: string,
  extra: object = {},
) =>
  reply
    .code(status)
    .type(JSON_TYPE)
    .send(successText(data, { requestId: request.id, timestamp: request.now, ...extra }))

function answerOf(deps: Deps, row: Route): Answer {
  const check = deps.config.env === 'test' ? replyChecker(row.returns) : () => {}
  const call = row.handle as (input: object) => Promise<unknown>
  const fallback = row.status ?? 200
  const keyOf = keyReader(deps, row)
  const { key: wholeKey, items: rowShape } = wholeOf(row)
  const checkRow = deps.config.env === 'test' && rowShape ? replyChecker(rowShape) : () => {}

  return async (request, reply, parts, within) => {
    const input = { deps, log: request.log, headers: request.headers, ...parts }
    if (row.access === 'open') {
      const result = await call({ ...input, db: deps.db, now: request.now, request, reply })
      const { status, value } = statusAndValue(result, fallback)
      check(value)
      return send(request, reply, status, JSON.stringify(value))
    }
    const scope = scopeOf(deps, request)
    if (row.access === 'raw') return call({ ...input, scope, db: deps.db, request, reply })
    if (row.access === 'read' && row.page) {
      const { items, cursor, hasMore } = (await call({ ...input, scope, db: deps.db })) as Page<unknown>
      for (const item of items) check(item)
      return send(request, reply, fallback, JSON.stringify(items), { cursor, hasMore })
    }
    if (row.access === 'read' && row.whole) {
      const list = (await within(() => call({ ...input, scope, db: deps.db }))) as Listed<unknown>
      const meta = { requestId: request.id, timestamp: request.now }
      if ('items' in list) {
        const { items, cursor, hasMore } = list
        for (const item of items) checkRow(item)
        return send(request, reply, fallback, JSON.stringify({ [wholeKey]: items }), { cursor, hasMore })
      }
      reply.code(fallback).type(JSON_TYPE)
      const portions = readWithin(list.portions, within, checkRow)
      return sendWhole(reply, portions, listFrame(wholeKey, meta), (error) => {
        request.log.warn({ err: error, route: row.path }, 'a list was cut off')
      })
    }
    if (row.access === 'read') {
      const { status, value } = statusAndValue(await call({ ...input, scope, db: deps.db }), fallback)
      check(value)
      return send(request, reply, status, JSON.stringify(value))
    }
    const idem = keyOf(request, parts.body)
    const written = await writeOf(deps, row, scope, idem, fallback, check, (more) =>
      call({ ...input, scope, ...more }),
    ).catch((error: unknown) => {
      throw withNextStep(error, row, idem !== null)
    })
    if (written.replayed) reply.header('idempotent-replayed', 'true')
    return send(request, reply, written.status, written.data)
  }
}

async function writeOf(
  deps: Deps,
  row: Route,
  scope: Scope,
  idem: IdempotencyKey | null,
  fallback: number,
  check: (value: unknown) => void,
  call: (more: object) => Promise<unknown>,
): Promise<Reply> {
  if (row.access === 'self') {
    const reply = (await call({ db: deps.db, idem })) as Reply
    // A replay answers what was answered then, maybe by a version that knew fewer fields.
    if (deps.config.env === 'test' && !reply.replayed) check(JSON.parse(reply.data))
    return reply
  }
  // The cheap look first: a replay needs no transaction. The unique row inside runWrite is what decides.
  const replay = idem && (await findReplay(deps, deps.db, scope, idem))
  if (replay) return replay
  return runWrite(deps, scope, idem, async (tx) => {
    const { status, value } = statusAndValue(await call({ tx }), fallback)
    check(value)
    return { status, value, secret: row.secret ?? false }
  })
}

/** Reads the key of a request and binds it to method, path and body. */
function keyReader(
  deps: Deps,
  row: Route,
): (request: FastifyRequest, body: unknown) => IdempotencyKey | null {
  const omit = row.body && passwordsOmitted(row.body)
  return ({ headers, method, url }, body) => {
    const key = readKey(headers['idempotency-key'])
    if (key === null) return null
    const path = url.split('?', 1)[0] ?? url
    return {
      key,
      fingerprint: fingerprintOf(method, path, omit ? omit(body) : body),
      earlier: () => deps.secrets.earlierMac(fingerprintOf(method, path, body)),
    }
  }
}
