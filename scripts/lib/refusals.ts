import { ERRORS, type ErrorCode } from '../../src/core/errors.ts'
import type { Refusals } from '../../src/platform/http/refusals.ts'

/** An operation, its address as the tests note it (`POST /api/v1/sales/:id/void`), and what it may refuse with. */
export type DeclaredRefusals = {
  name: string
  address: string
  refusals: Refusals
  /** What its row says of its own handler (`document.refuses`). */
  own: readonly ErrorCode[]
}

/** A fault of the service, which no request is known to provoke, and which a test may meet all the same. */
const FAULT = '500 INTERNAL_ERROR'

/** What no test provokes, each with its reason. It only ever gets shorter: what is met after all has to leave. */
export const NOT_MET: Readonly<Record<string, string>> = {
  'auth.finishOidc declares 409 CONFLICT': 'two first visits of one person in the same moment',
}

/**
 * The refusals that the document names and no test of a run met. What a row says of its own handler has to be met at that
 * operation. What other words of a row imply is the doing of one piece of code for all such rows (`refusals.ts`), and has to be
 * met at one of them. `seen` has lines such as `GET /api/v1/sales/:id 404 NOT_FOUND`; `notMet` lists the refusals
 * that may be missing.
 */
export function unprovoked(
  declared: readonly DeclaredRefusals[],
  seen: ReadonlySet<string>,
  notMet: readonly string[],
): string[] {
  const own = declared.flatMap(({ name, address, own: codes }) =>
    codes
      .map((code) => `${ERRORS[code].status} ${code}`)
      .filter((refusal) => !seen.has(`${address} ${refusal}`))
      .map((refusal) => `${name} declares ${refusal}`),
  )
  const all = declared.flatMap(({ address, refusals }) =>
    [...refusals].flatMap(([status, codes]) =>
      codes.map((code) => ({ address, refusal: `${status} ${code}` })),
    ),
  )
  const isMet = (wanted: string) =>
    all.some(({ address, refusal }) => refusal === wanted && seen.has(`${address} ${refusal}`))
  const implied = [...new Set(all.map(({ refusal }) => refusal))]
    .filter((refusal) => refusal !== FAULT && !isMet(refusal))
    .map((refusal) => `the document names ${refusal}`)
  const missing = [...own, ...implied]
  return [
    ...missing.filter((what) => !notMet.includes(what)).map((what) => `${what}, and no test provokes it`),
    ...notMet
      .filter((what) => !missing.includes(what))
      .map((what) => `${what}: met, or declared no more; take it off the list`),
  ]
}
