import type { FastifyRequest } from 'fastify'
import { assert } from '../../core/assert.ts'
import { ApiError } from '../../core/errors.ts'
import type { Deps } from '../deps.ts'
import { readKey } from './idempotency.ts'
import { type Partner, partnerOf } from './partner.ts'
import { isUnsafe, type Route, type Within } from './route.ts'

/** What an errand has to work with: the network and the database, never both at once. */
export type ErrandMeans = {
  deps: Omit<Deps, 'db' | 'pool'>
  partner: Partner
  /** The Idempotency-Key of the request: who sends it again finds what the first one left. */
  key: string | null
  /** Where the errand leaves what it brings back; the scope of the next attempt has it as `found`. */
  found: Map<string, unknown>
}
/** Puts in order what an errand did and the request did not use in the end; `isDone` once it was answered. */
export type Ending = (isDone: boolean) => Promise<void>

/**
 * Thrown by a handler that finds it needs a partner before it can go on: whatever the request has written is undone, the
 * errand is run with nothing held, and the handler begins anew. Only the few requests that meet such a thing pay for it.
 */
export class Errand extends Error {
  readonly run: (means: ErrandMeans) => Promise<Ending | undefined>

  constructor(run: Errand['run']) {
    super('an errand is to be run before this can go on')
    this.name = 'Errand'
    this.run = run
  }
}

declare module 'fastify' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- declarations merge only as interfaces
  interface FastifyRequest {
    found: Map<string, unknown> | null
  }
}

/** More than the payments of one sale need; and how long one request may go on sending for things. */
const MOST = 64
const PATIENCE_MS = 20_000

/** Answers a request, however many errands that takes. */
export async function withErrands<T>(
  deps: Deps,
  row: Route,
  request: FastifyRequest,
  within: Within,
  answer: () => Promise<T>,
): Promise<T> {
  const endings: Ending[] = []
  const end = async (isDone: boolean) => {
    for (const ending of endings) {
      await ending(isDone).catch((error: unknown) => {
        request.log.warn({ err: error }, 'what was sent for and not used could not be put in order yet')
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
        means ??= meansOf(deps, row, request, within)
        const ending = await error.run(means)
        if (ending) endings.push(ending)
      } catch (refusal) {
        await end(false)
        throw refusal
      }
    }
  }
}

function meansOf(deps: Deps, row: Route, request: FastifyRequest, within: Within): ErrandMeans {
  const key = isUnsafe(row.method) ? readKey(request.headers['idempotency-key']) : null
  const { partner } = partnerOf(deps, { requestId: request.id, idem: null, timeoutMs: undefined, within })
  const { db: _db, pool: _pool, ...rest } = deps
  const found = new Map<string, unknown>()
  request.found = found
  return { deps: rest, partner, key, found }
}

const tooLong = () =>
  new ApiError('PARTNER_TIMEOUT', 'A partner takes too long; try again in a moment, or go on without it')
