import type { Error as Refusal } from './generated/types.gen.ts'

/** Every code of the service's table of errors. */
export type ErrorCode = Refusal['error']['code']

/** The codes that one operation may be refused with: `CodeOf<SalesCreateErrors>`. */
export type CodeOf<Errors> = Extract<Errors[keyof Errors], Refusal>['error']['code']
