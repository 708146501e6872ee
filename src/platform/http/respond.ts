import type { FastifyReply, FastifyRequest } from 'fastify'
import { type TObject, type TSchema, Type } from 'typebox'
import { assert } from '../../core/assert.ts'
import type { Page } from '../../core/cursor.ts'
import { ApiError, authRequired } from '../../core/errors.ts'
import { inTx, type Tx } from '../db/open.ts'
import type { Deps } from '../deps.ts'
import { paperOf, sendPrint } from '../print/print.ts'
import { type Scope, scopeFor } from '../scope.ts'
import { isUnchanged } from './cached.ts'
import { isCsv, sendCsv } from './csv.ts'
import { tellOfDelegate, withoutHidden } from './delegated.ts'
import { listFrame, payloadOf, successText } from './envelope.ts'
import { fingerprintOf, passwordsOmitted } from './fingerprint.ts'
import {
  beginKey,
  findReplay,
  type IdempotencyKey,
  type Reply,
  readKey,
  releaseKey,
  retrying,
  runWrite,
} from './idempotency.ts'
import type { Parts } from './parse.ts'
import { partnerOf } from './partner.ts'
import { type Handed, isUnsafe, locationOf, type Route, statusAndValue, type Within } from './route.ts'
import { withNextStep } from './unknown-outcome.ts'
import { replyChecker } from './validate.ts'
import { type Listed, sendWhole } from './whole.ts'

const JSON_TYPE = 'application/json; charset=utf-8'

const scopeOf = (deps: Deps, request: FastifyRequest): Scope => {
  if (!request.identity) throw authRequired()
  return scopeFor(request.identity, {
    defaultTier: deps.config.defaultTier,
    requestId: request.id,
    address: request.ip,
    now: request.now,
    ...(request.found === null ? {} : { found: request.found }),
    modules: request.modules,
  })
}

/** The key of the list that a whole answer holds, the shape of its rows, and that of what stands beside it. */
function wholeOf(row: Route): { key: string; items: TSchema | undefined; beside: TSchema } {
  const { properties } = row.returns as TObject
  if (!row.whole) return { key: '', items: undefined, beside: Type.Object({}) }
  const lists = Object.entries(properties).filter(([, shape]) => 'items' in shape)
  const [[key, list] = ['', undefined]] = lists
  assert(lists.length === 1 && list !== undefined && 'items' in list, `${row.path} answers one list`)
  return { key, items: list.items as TSchema, beside: Type.Omit(row.returns as TObject, [key]) }
}

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
    .send(payloadOf(successText(data, { requestId: request.id, timestamp: request.now, ...extra })))

type Call = (input: object) => Promise<unknown>
/** One row with what it takes to answer it; in tests every reply is held against the shape that the row declares. */
type Answering = {
  deps: Deps
  row: Route
  call: Call
  status: number
  check: (value: unknown) => void
}

/** What is answered: runs the handler as its row's `access` says and sends what it returns in the envelope. */
export function answerOf(deps: Deps, row: Route): Answer {
  const check = deps.config.env === 'test' ? replyChecker(row.returns) : () => {}
  const answering = { deps, row, call: row.handle as Call, status: row.status ?? 200, check }
  if (row.access === 'open') return openAnswer(answering)
  if (row.access === 'raw') {
    return (request, reply, parts) =>
      answering.call({
        ...inputOf(deps, request, parts),
        scope: scopeOf(deps, request),
        db: deps.db,
        request,
        reply,
      })
  }
  if (row.access === 'forward') return forwardAnswer(answering)
  if (row.access !== 'read') return writeAnswer(answering)
  if (row.page) return pageAnswer(answering)
  return row.whole ? wholeAnswer(answering) : readAnswer(answering)
}

const inputOf = (deps: Deps, request: FastifyRequest, parts: Parts) => ({
  deps,
  log: request.log,
  headers: request.headers,
  ...parts,
})

const openAnswer =
  ({ deps, row, call, status: fallback, check }: Answering): Answer =>
  async (request, reply, parts) => {
    const result = await call({
      ...inputOf(deps, request, parts),
      db: deps.db,
      now: request.now,
      request,
      reply,
    })
    const location = locationOf(result)
    if (location !== undefined) return reply.code(302).header('location', location).send()
    if (row.produces !== undefined) return result
    const { status, value } = statusAndValue(result, fallback)
    check(value)
    const data = JSON.stringify(value)
    if (row.cacheSeconds !== undefined && isUnchanged(request, reply, data, row.cacheSeconds)) {
      return reply.code(304).send()
    }
    return send(request, reply, status, data)
  }

const pageAnswer =
  ({ deps, call, status, check }: Answering): Answer =>
  async (request, reply, parts) => {
    const input = { ...inputOf(deps, request, parts), scope: scopeOf(deps, request), db: deps.db }
    const { items, cursor, hasMore } = (await call(input)) as Page<unknown>
    for (const item of items) check(item)
    return send(request, reply, status, JSON.stringify(items), { cursor, hasMore })
  }

function wholeAnswer({ deps, row, call, status }: Answering): Answer {
  const { key, items: rowShape, beside: besideShape } = wholeOf(row)
  const isChecked = deps.config.env === 'test' && rowShape !== undefined
  const checkRow = isChecked ? replyChecker(rowShape) : () => {}
  const checkBeside = isChecked ? replyChecker(besideShape) : () => {}
  return async (request, reply, parts, within) => {
    const input = { ...inputOf(deps, request, parts), scope: scopeOf(deps, request), db: deps.db }
    const list = (await within(() => call(input))) as Listed<unknown>
    const besideOf = () => {
      const beside = list.beside?.() ?? {}
      checkBeside(beside)
      return beside
    }
    if ('items' in list) {
      const { items, cursor, hasMore } = list
      for (const item of items) checkRow(item)
      return send(request, reply, status, JSON.stringify({ ...besideOf(), [key]: items }), {
        cursor,
        hasMore,
      })
    }
    reply.code(status).type(JSON_TYPE)
    const portions = readWithin(list.portions, within, checkRow)
    const meta = { requestId: request.id, timestamp: request.now }
    return sendWhole(
      reply,
      portions,
      () => listFrame(key, meta, besideOf()),
      (error) => {
        request.log.warn({ err: error, route: row.path }, 'a list was cut off')
      },
    )
  }
}

const readAnswer =
  ({ deps, row, call, status: fallback, check }: Answering): Answer =>
  async (request, reply, parts) => {
    const input = { ...inputOf(deps, request, parts), scope: scopeOf(deps, request), db: deps.db }
    const { status, value } = statusAndValue(await call(input), fallback)
    check(value)
    if (row.csv && isCsv(parts.query)) return sendCsv(reply, row.csv(value as never, parts.query as never))
    const paper = row.print && paperOf(parts.query)
    if (row.print && paper) {
      const { paged, name } = row.print(value as never, parts.query as never)
      return sendPrint(reply, paged, { ...paper, name })
    }
    return send(request, reply, status, JSON.stringify(value))
  }

function forwardAnswer(answering: Answering): Answer {
  const { deps, row, call } = answering
  const { db: _db, pool: _pool, ...rest } = deps
  return async (request, reply, parts, within) => {
    const scope = scopeOf(deps, request)
    const key = isUnsafe(row.method) ? readKey(request.headers['idempotency-key']) : null
    const idem = key === null ? null : { key }
    const { partner, database, isUnsaved } = partnerOf(deps, {
      requestId: scope.requestId,
      idem,
      timeoutMs: undefined,
      within,
    })
    const search = request.url.split('?')[1] ?? ''
    const input = { ...inputOf(deps, request, parts), deps: rest, scope, partner, search }
    const handOn = async () => {
      const answered = (await call(input)) as Handed
      if (!('file' in answered)) await tellOfHanded(answering, request, scope, database, answered)
      return answered
    }
    const handed = await handOn().catch((error: unknown) => {
      throw withNextStep(error, row, { hasKey: key !== null, isUnsaved: isUnsaved(error) })
    })
    if ('file' in handed) return reply.headers(handed.headers).type(handed.type).send(handed.file)
    const { status, data: value, text, page } = handed
    return send(request, reply, status, text ?? JSON.stringify(value), page)
  }
}

/** What an assistant did at a partner is known when the partner has answered: it is told of then, on its own. */
async function tellOfHanded(
  { deps, row }: Answering,
  request: FastifyRequest,
  scope: Scope,
  database: Within,
  { status, data: value }: Exclude<Handed, { file: unknown }>,
) {
  const { delegation } = scope.actor
  if (!isUnsafe(row.method) || delegation === undefined) return
  const path = pathOf(request)
  const told = { row, path, status, value }
  await database(() => retrying(scope, () => inTx(deps.db, (tx) => tellOfDelegate(tx, scope, told)))).catch(
    (error: unknown) => {
      // Whoever finds it done sends nothing again, and then this line alone tells of it.
      request.log.error(
        { err: error, account: scope.accountId, delegation, operation: row.name, path, status },
        'what an assistant did at a partner may be missing from the audit trail',
      )
      throw error
    },
  )
}

function writeAnswer({ deps, row, call, status: fallback, check }: Answering): Answer {
  const keyOf = keyReader(deps, row)
  return async (request, reply, parts, within) => {
    const scope = scopeOf(deps, request)
    const input = { ...inputOf(deps, request, parts), scope }
    const idem = isUnsafe(row.method) ? keyOf(request, parts.body) : null
    const path = pathOf(request)
    const written =
      row.access === 'partner'
        ? await askPartner({ deps, row, path, scope, idem, within, fallback, check }, (more) =>
            call({ ...input, ...more }),
          )
        : await writeOf(deps, row, path, scope, idem, fallback, check, (more) =>
            call({ ...input, within, ...more }),
          ).catch((error: unknown) => {
            throw withNextStep(error, row, { hasKey: idem !== null })
          })
    if (written.replayed) reply.header('idempotent-replayed', 'true')
    return send(request, reply, written.status, withoutHidden(row, scope, written.data))
  }
}

const pathOf = ({ url }: FastifyRequest) => url.split('?', 1)[0] ?? url

async function writeOf(
  deps: Deps,
  row: Route,
  path: string,
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
    await tellOfDelegate(tx, scope, { row, path, status, value })
    return { status, value, secret: row.secret ?? false }
  })
}

type Asking = {
  deps: Deps
  row: Route
  path: string
  scope: Scope
  idem: IdempotencyKey | null
  within: Within
  fallback: number
  check: (value: unknown) => void
}

/** The key first, committed; then the partner; then the effect and the reply in one transaction. */
async function askPartner(
  { deps, row, path, scope, idem, within, fallback, check }: Asking,
  call: (more: object) => Promise<unknown>,
): Promise<Reply> {
  const begun = idem && (await within(() => beginKey(deps, scope, idem)))
  if (begun && 'replay' in begun) return begun.replay
  const { partner, database, isUnsaved } = partnerOf(deps, {
    requestId: scope.requestId,
    idem,
    timeoutMs: row.partnerTimeoutMs,
    within,
  })
  const { db: _db, pool: _pool, ...rest } = deps
  try {
    const finish = (await call({ deps: rest, partner })) as (tx: Tx) => Promise<unknown>
    return await database(() =>
      runWrite(
        deps,
        scope,
        idem,
        async (tx) => {
          const { status, value } = statusAndValue(await finish(tx), fallback)
          check(value)
          // What only asks a partner is no write of the assistant's.
          if (isUnsafe(row.method)) await tellOfDelegate(tx, scope, { row, path, status, value })
          return { status, value, secret: row.secret ?? false }
        },
        { hasBegun: true },
      ),
    )
  } catch (error) {
    // What failed on our side or the partner's may have had its effect there: only the same request may come again.
    const isRefusal = error instanceof ApiError && error.status < 500
    if (idem && begun?.isFirst && isRefusal) await within(() => releaseKey(deps, scope, idem))
    throw withNextStep(error, row, { hasKey: idem !== null, isUnsaved: isUnsaved(error) })
  }
}

/** Reads the key of a request and binds it to method, path and body. */
function keyReader(
  deps: Deps,
  row: Route,
): (request: FastifyRequest, body: unknown) => IdempotencyKey | null {
  const omit = row.body && passwordsOmitted(row.body)
  return (request, body) => {
    const { headers, method } = request
    const key = readKey(headers['idempotency-key'])
    if (key === null) return null
    const path = pathOf(request)
    return {
      key,
      fingerprint: fingerprintOf(method, path, omit ? omit(body) : body),
      earlier: () => deps.secrets.earlierMacs(fingerprintOf(method, path, body)),
    }
  }
}
