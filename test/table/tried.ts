import { authOf, type Route } from '../../src/platform/http/route.ts'
import type { Answer } from '../support/api.ts'
import { routes } from './local.ts'
import { hasProbe } from './probes/index.ts'
import { nameOf } from './request.ts'

/** Routes that answer; a stream never ends. */
export const answering = routes.filter((row) => hasProbe(row) && row.produces !== 'text/event-stream')
/** Of these the ones that ask for a credential: what they do stays in one workspace. */
export const tried = answering.filter((row) => authOf(row) === 'credential')
export const named = (rows: readonly Route[]) => rows.map((row) => [nameOf(row), row] as const)

export const isEnvelope = (answer: Answer) =>
  answer.data === null && typeof answer.error?.code === 'string' && typeof answer.meta?.requestId === 'string'
