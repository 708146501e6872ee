import type { FastifyRequest } from 'fastify'
import { assert } from '../../core/assert.ts'
import { ApiError } from '../../core/errors.ts'
import { isUnsafe } from '../../core/methods.ts'
import type { WithSlot } from '../db/places.ts'
import type { Deps } from '../deps.ts'
import { readKey } from './idempotency.ts'
import { type Partner, partnerOf, withoutDatabase } from './partner.ts'
import type { Route } from './route.ts'

/** The resources of an errand: the network and the database, never both at the same time. */
export type ErrandMeans = {
  deps: Omit<Deps, 'db' | 'pool'>
  partner: Partner
  /** The Idempotency-Key of the request: a retry finds the results of the first attempt. */
  key: string | null
  /** Stores the errand's results; the scope of the next attempt holds them as `errandResults`. */
  results: Map<string, unknown>
}
/** Undoes an errand's operations that the request did not use; `isDone` is true once the request succeeded. */
export type ErrandEnd = (isDone: boolean) => Promise<void>

/**
 * Thrown by a handler that needs a partner before it can continue. The transaction is rolled back, the errand runs
 * without a lock or connection, and the handler starts again. Only requests that need a partner have this cost.
 */
export class Errand extends Error {
  readonly run: (means: ErrandMeans) => Promise<ErrandEnd | undefined>

  constructor(run: Errand['run']) {
    super('an errand must run before this request can continue')
    this.name = 'Errand'
    this.run = run
  }
}

declare module 'fastify' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- declarations merge only as interfaces
  interface FastifyRequest {
    errandResults: Map<string, unknown> | null
  }
}

/** Maximum errands per request, more than one sale's payments need, and their total time. */
const MOST = 64
const PATIENCE_MS = 20_000

type ErrandCaller = { deps: Deps; row: Route; request: FastifyRequest; withSlot: WithSlot }

/** Answers a request, and starts it again after each errand that it throws. */
export async function withErrands<T>(caller: ErrandCaller, answer: () => Promise<T>): Promise<T> {
  const { row, request } = caller
  const endings: ErrandEnd[] = []
  const end = async (isDone: boolean) => {
    for (const ending of endings) {
      await ending(isDone).catch((error: unknown) => {
        request.log.warn({ err: error }, 'could not undo an unused partner operation yet')
      })
    }
  }
  let means: ErrandMeans | undefined
  const beganMs = performance.now()
  for (let errands = 0; ; errands += 1) {
    try {
      const answered = await answer()
      await end(true)
      return answered
    } catch (error) {
      try {
        if (!(error instanceof Errand)) throw error
        assert(row.errands, `${row.name} says that it may run errands`)
        if (errands === MOST || performance.now() - beganMs > PATIENCE_MS) throw tooLong()
        means ??= meansOf(caller)
        const ending = await error.run(means)
        if (ending) endings.push(ending)
      } catch (refusal) {
        await end(false)
        throw refusal
      }
    }
  }
}

function meansOf({ deps, row, request, withSlot }: ErrandCaller): ErrandMeans {
  const key = isUnsafe(row.method) ? readKey(request.headers['idempotency-key']) : null
  const { partner } = partnerOf(deps, {
    requestId: request.id,
    idem: null,
    isRepeatable: key !== null,
    withSlot,
  })
  const results = new Map<string, unknown>()
  request.errandResults = results
  return { deps: withoutDatabase(deps), partner, key, results }
}

const tooLong = () =>
  new ApiError(
    'PARTNER_TIMEOUT',
    'A partner takes too long to answer; try again in a moment, or continue without it',
  )
