import type { Error as Refusal } from './generated/types.gen.ts'

/** Every code of the service's table of errors. */
export type ErrorCode = Refusal['error']['code']
