import type { FastifyInstance } from 'fastify'
import { poolWaitMs } from '../db/open.ts'
import { fairPlaces, type Places, placesOf } from '../db/places.ts'
import type { Deps } from '../deps.ts'
import { requireEnforced } from './declared.ts'
import { withErrands } from './errands.ts'
import { GATE_MEANS, type GateMeans, gateOf } from './gate.ts'
import { parserOf } from './parse.ts'
import { refusalsOf } from './refusals.ts'
import { answerOf } from './respond.ts'
import { API_PREFIX, authOf, isUnsafe, type Route, type Within } from './route.ts'
import { requireSigned, verifierOf } from './signature.ts'

declare module 'fastify' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- declarations merge only as interfaces
  interface FastifyContextConfig {
    /** Its answers hold a secret that their length must not reveal: they are never compressed. */
    isSecret?: boolean
    /** People look at its answers in a browser. */
    isVisited?: boolean
  }
}

const fastifyPath = (path: string) => `${API_PREFIX}${path.replaceAll(/\{(\w+)\}/g, ':$1')}`

/**
 * Turns rows of the route table into served routes: who may ask (gate), what is asked (parse), what is answered
 * (respond). Throws for a row with a word that nothing enforces.
 */
export function mount(
  app: FastifyInstance,
  deps: Deps,
  rows: readonly Route[],
  more: Partial<GateMeans> = {},
) {
  const means = { ...GATE_MEANS, ...more }
  requireEnforced(rows, means)
  const places = fairPlaces({
    places: placesOf(deps.config.databasePoolSize),
    waitMs: poolWaitMs(deps.config.env),
  })
  app.decorateRequest('modules', null)
  for (const row of rows) mountOne(app, deps, row, places, means)
}

function mountOne(app: FastifyInstance, deps: Deps, row: Route, places: Places, means: GateMeans) {
  const parse = parserOf(row)
  const answer = answerOf(deps, row)
  app.route({
    method: row.method,
    url: fastifyPath(row.path),
    ...(row.bodyLimit === undefined ? {} : { bodyLimit: row.bodyLimit }),
    config: {
      refusals: refusalsOf(row),
      isSecret: isSecret(row),
      isVisited: row.visited === true,
      countedByAddress: authOf(row) === 'session' && isUnsafe(row.method),
      verifies: row.verify && verifierOf(deps, row.verify),
    },
    onRequest: gateOf(deps, row, places, means),
    ...(authOf(row) === 'signature' ? { preValidation: requireSigned } : {}),
    handler: async (request, reply) => {
      const parts = parse(request)
      const { identity } = request
      const within: Within = (work) => (identity ? places.within(identity.accountId, work) : work())
      const answered = () => answer(request, reply, parts, within)
      // A list that is written for as long as its reader takes holds a place for each portion only, and a route that asks
      // a partner holds one between its calls only.
      const takesPlaces =
        row.whole ||
        row.takesPlaces ||
        row.access === 'partner' ||
        row.access === 'forward' ||
        row.isShared?.(parts.query as never)
      // Errands are run without the place: a slow partner must not take it from others.
      return withErrands(deps, row, request, within, () => (takesPlaces ? answered() : within(answered)))
    },
  })
}

/** Areas whose records are keys to something: sessions, API keys, the codes of gift cards. */
const SECRET_AREAS: readonly string[] = ['auth', 'api-keys', 'gift-cards']
const isSecret = (row: Route) => row.secret === true || SECRET_AREAS.includes(row.area)
