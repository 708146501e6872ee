import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  authRequired,
  checker,
  forbidden,
  isStorable,
  malformed,
  newUlid,
  normalise,
  notFound,
  type Page,
} from 'kasir/partner-tools'
import { Type } from 'typebox'
import type { Tx } from '../db.ts'
import type { Caller, Tools } from '../tools.ts'
import { findWorkspace, PLATFORM } from '../workspaces/store.ts'
import { dataText, pageText } from './envelope.ts'
import { keyIn, runOnce } from './idempotency.ts'
import type { PartnerRoute, ResultWithStatus } from './route.ts'

export const PREFIX = '/v1'

const REQUEST_ID = /^[A-Za-z0-9_-]{1,64}$/
export function requestIdOf(request: { headers: Record<string, string | string[] | undefined> }): string {
  const sent = request.headers['x-request-id']
  return typeof sent === 'string' && REQUEST_ID.test(sent) ? sent : `req_${newUlid()}`
}

async function callerOf(tools: Tools, authorization: string | undefined): Promise<Caller> {
  const key = /^Bearer (\S{1,300})$/i.exec(authorization ?? '')?.[1]
  if (key === undefined) throw authRequired()
  const isPlatform = tools.keys.isPlatform(key)
  const workspaceId = isPlatform ? PLATFORM : tools.keys.workspaceOf(key)
  const workspace = workspaceId === null ? undefined : await findWorkspace(tools.db, workspaceId)
  if (!workspace) throw authRequired()
  return { workspaceId: workspace.id, name: workspace.name, isPlatform }
}

const NO_CALLER: Caller = { workspaceId: '', name: '', isPlatform: false }
const NO_FIELDS = Type.Object({})
const NOTHING: ReadonlySet<string> = new Set()

/** Parses a request. Throws 404 for an impossible id, and 400 with `param` for a field that breaks its schema. */
function parserOf(row: PartnerRoute) {
  const checkQuery = checker(row.query ?? NO_FIELDS, 'query')
  const checkBody = checker(row.body ?? NO_FIELDS, 'body', row.returns ? { record: row.returns } : {})
  return (request: FastifyRequest) => {
    const params = request.params as Record<string, string>
    const isStrange = Object.values(params).some((id) => id.length === 0 || id.length > 64 || !isStorable(id))
    if (isStrange) throw notFound('resource')
    const query = request.query as Record<string, unknown>
    normalise(query, NOTHING)
    checkQuery(query)
    const sent = request.body ?? {}
    if (typeof sent !== 'object' || Array.isArray(sent))
      throw malformed('body', 'The body must be a JSON object')
    const body = normalise(sent, NOTHING)
    checkBody(body)
    return { params, query, body: row.body ? body : undefined }
  }
}

const isAnswer = (value: unknown): value is ResultWithStatus<unknown> =>
  typeof value === 'object' && value !== null && 'status' in value && 'value' in value

type Reply = { status: number; body: string; isReplay: boolean }

/** Mounts the routes. Each checks the key and the request, then runs its handler with a database or transaction. */
export function mount(app: FastifyInstance, tools: Tools, rows: readonly PartnerRoute[]) {
  for (const row of rows) {
    const parse = parserOf(row)
    const handle = row.handle as (input: unknown) => Promise<unknown>
    app.route({
      method: row.method,
      url: `${PREFIX}${row.path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
      handler: async (request, reply) => {
        const { authorization } = request.headers
        const caller = row.key === 'none' ? NO_CALLER : await callerOf(tools, authorization)
        if (row.key === 'platform' && !caller.isPlatform) throw forbidden('Only the platform key may do this')
        const input = { tools, caller, now: tools.now(), ...parse(request) }
        if (row.access === 'file') return handle({ ...input, db: tools.db, reply })
        const answered =
          row.access === 'read'
            ? await read(row, () => handle({ ...input, db: tools.db }))
            : await write(row, request, input, (tx) => handle({ ...input, tx }))
        return send(reply, answered)
      },
    })
  }
}

const read = async (row: PartnerRoute, handle: () => Promise<unknown>): Promise<Reply> => {
  const value = await handle()
  const body = row.page ? pageText(value as Page<unknown>) : dataText(value)
  return { status: row.status ?? 200, body, isReplay: false }
}

function write(
  row: PartnerRoute,
  request: FastifyRequest,
  { tools, caller, now, body }: { tools: Tools; caller: Caller; now: string; body: unknown },
  handle: (tx: Tx) => Promise<unknown>,
): Promise<Reply> {
  const key = keyIn(request.headers['idempotency-key'])
  return tools.db.tx((tx) => {
    const work = async () => {
      const value = await handle(tx)
      const answer = isAnswer(value) ? value : { status: row.status ?? 200, value }
      return { status: answer.status, body: dataText(answer.value) }
    }
    if (key === null || row.isRepeatable) return work().then((reply) => ({ ...reply, isReplay: false }))
    const [path = ''] = request.url.split('?')
    return runOnce(tx, { workspaceId: caller.workspaceId, key, method: row.method, path, body, now }, work)
  })
}

const send = (reply: FastifyReply, { status, body, isReplay }: Reply) => {
  if (isReplay) reply.header('idempotent-replayed', 'true')
  return reply.code(status).type('application/json; charset=utf-8').send(body)
}
