import type { Error as Refusal } from './generated/types.gen.ts'

/** Every error code of the service. */
export type ErrorCode = Refusal['error']['code']

/** The error codes of one operation: `CodeOf<SalesCreateErrors>`. */
export type CodeOf<Errors> = Extract<Errors[keyof Errors], Refusal>['error']['code']
