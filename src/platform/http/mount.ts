import type { FastifyInstance } from 'fastify'
import { isUnsafe } from '../../core/methods.ts'
import { poolWaitMs } from '../db/open.ts'
import { fairPlaces, largeReadsOf, type Places, placesOf, type WithSlot } from '../db/places.ts'
import type { Deps } from '../deps.ts'
import { createResponder } from './answers/index.ts'
import { requireEnforced } from './declared.ts'
import { withErrands } from './errands.ts'
import { GATE_MEANS, type GateMeans, gateOf } from './gate.ts'
import { parserOf, type RequestParts } from './parse.ts'
import { refusalsOf } from './refusals.ts'
import { type Access, API_PREFIX, authOf, type Route } from './route.ts'
import { requireSigned, verifierOf } from './signature.ts'

declare module 'fastify' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- declarations merge only as interfaces
  interface FastifyContextConfig {
    /** Its responses hold a secret that their length must not reveal, so they are never compressed. */
    isSecret?: boolean
    /** Its responses are pages for a browser. */
    isVisited?: boolean
  }
}

const fastifyPath = (path: string) => `${API_PREFIX}${path.replaceAll(/\{(\w+)\}/g, ':$1')}`

/**
 * Registers the rows of the route table as routes: authorization (gate), input (parse) and response (answers). Throws
 * for a row with an option that is not enforced.
 */
export function mount(
  app: FastifyInstance,
  deps: Deps,
  rows: readonly Route[],
  more: Partial<GateMeans> = {},
) {
  const means = { ...GATE_MEANS, ...more }
  requireEnforced(rows, means)
  const { databasePoolSize, env } = deps.config
  const places = placesOf(databasePoolSize)
  const { slots } = deps
  const largeReads = fairPlaces({
    places,
    most: largeReadsOf(databasePoolSize),
    waitMs: Math.max(LARGE_READ_WAIT_MS, poolWaitMs(env)),
  })
  app.decorateRequest('modules', null)
  for (const row of rows) mountOne(app, row, { deps, slots, largeReads, means })
}

/** How long a report or a portion of a list may wait for the others of its workspace. */
const LARGE_READ_WAIT_MS = 10_000

/** The group of connection slots for statements that serve several workspaces. */
const SHARED = 'shared'

type MountContext = { deps: Deps; slots: Places; largeReads: Places; means: GateMeans }

function mountOne(app: FastifyInstance, row: Route, { deps, slots, largeReads, means }: MountContext) {
  const parse = parserOf(row)
  const respond = createResponder(deps, row)
  app.route({
    method: row.method,
    url: fastifyPath(row.path),
    ...(row.bodyLimit === undefined ? {} : { bodyLimit: row.bodyLimit }),
    config: {
      refusals: refusalsOf(row),
      isSecret: isSecret(row),
      isVisited: row.isVisited === true,
      countedByAddress: authOf(row) === 'session' && isUnsafe(row.method),
      ownBudget: row.perMinute === undefined ? undefined : { name: row.name, perMinute: row.perMinute },
      verifies: row.verify && verifierOf(deps, row.verify),
    },
    onRequest: gateOf(deps, row, slots, means),
    ...(authOf(row) === 'signature' ? { preValidation: requireSigned } : {}),
    handler: async (request, reply) => {
      const parts = parse(request)
      const { identity } = request
      const withSlot: WithSlot = (work, slot) => {
        if (!identity) return work()
        const group = slot === 'shared' ? SHARED : identity.accountId
        const run = () => slots.within(group, work)
        return isLargeRead(row, parts) ? largeReads.within(`${row.access} ${group}`, run) : run()
      }
      const answer = () => respond({ request, reply, parts, withSlot })
      // An errand runs without the slot: a slow partner must not take it from others.
      return withErrands({ deps, row, request, withSlot }, () =>
        holdsSlot(row, parts) ? withSlot(answer) : answer(),
      )
    },
  })
}

/** These take a slot per portion of a list, or per use of the database between calls to a partner. */
const SLOT_PER_STEP: readonly Access[] = ['whole', 'prepare', 'partner', 'forward']

/**
 * Reports and whole lists: a workspace runs few of each at the same time, so that they leave the database to the tills of
 * others. A till that reads its goods does not wait for a report.
 */
const isLargeRead = ({ access, mayReadReplica }: Route, { query }: RequestParts) =>
  mayReadReplica === true || (access === 'whole' && !isPaged(query))

function isPaged(query: unknown): boolean {
  const { limit, cursor } = (query ?? {}) as { limit?: unknown; cursor?: unknown }
  return limit !== undefined || cursor !== undefined
}

/** Whether the request holds a slot from its start to its end. */
function holdsSlot({ access, hotPath, mayReadReplica }: Route, { query }: RequestParts): boolean {
  // A read of the replica takes a slot there, and one of the primary only if it has to ask it.
  if (SLOT_PER_STEP.includes(access) || mayReadReplica) return false
  const isHeld = hotPath?.holdsSlot ?? true
  return typeof isHeld === 'function' ? isHeld(query as never) : isHeld
}

/** Areas whose records grant access or value: sessions, API keys, gift card codes. */
const SECRET_AREAS: readonly string[] = ['auth', 'api-keys', 'approvals', 'gift-cards']
const isSecret = (row: Route) => row.secret !== undefined || SECRET_AREAS.includes(row.area)
