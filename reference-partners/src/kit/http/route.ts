import type { FastifyReply } from 'fastify'
import type { Page } from 'kasir/partner-tools'
import type { Static, TObject, TSchema } from 'typebox'
import type { Db, Tx } from '../db.ts'
import type { Caller, Tools } from '../tools.ts'

type Shape = TObject | undefined
type ParsedShape<T extends Shape> = T extends TSchema ? Static<T> : undefined

type Input<P extends Shape, Q extends Shape, B extends Shape> = {
  tools: Tools
  caller: Caller
  params: ParsedShape<P>
  query: ParsedShape<Q>
  body: ParsedShape<B>
  /** The instant of the request, for all it writes. */
  now: string
}

type Common<P extends Shape, Q extends Shape, B extends Shape> = {
  /** `<noun>.<verb>`, the operation's id. */
  name: `${string}.${string}`
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** After /v1, with {placeholders}. */
  path: string
  tag: string
  summary: string
  /** Whose key opens it: that of any workspace (the platform has one too), the platform's alone, or none. */
  key?: 'platform' | 'none'
  /** Answers the same question alike by itself, and with a secret: its answer is not kept for an Idempotency-Key. */
  isRepeatable?: boolean
  params?: P
  query?: Q
  body?: B
  status?: number
}

/** A value with a status other than that of the route. */
export type ResultWithStatus<T> = { status: number; value: T }

type Handle<P extends Shape, Q extends Shape, B extends Shape, R extends TSchema> =
  | {
      access: 'read'
      page?: false
      returns: R
      handle(input: Input<P, Q, B> & { db: Db }): Promise<Static<R>>
    }
  | {
      access: 'read'
      page: true
      returns: R
      handle(input: Input<P, Q, B> & { db: Db }): Promise<Page<Static<R>>>
    }
  /** One transaction, with the row of its Idempotency-Key. */
  | {
      access: 'write'
      returns: R
      handle(input: Input<P, Q, B> & { tx: Tx }): Promise<Static<R> | ResultWithStatus<Static<R>>>
    }
  /** Answers with this media type instead of JSON. */
  | {
      access: 'file'
      produces: string
      handle(input: Input<P, Q, B> & { db: Db; reply: FastifyReply }): Promise<unknown>
    }

/** A row of the partner's route table. */
export type PartnerRoute = Common<TObject, TObject, TObject> & {
  access: 'read' | 'write' | 'file'
  page?: boolean
  produces?: string
  returns?: TSchema
  handle(input: never): Promise<unknown>
}

/** Declares a route: the one cast of the table, after the compiler has checked the handler against its shapes. */
export const route = <
  R extends TSchema,
  P extends Shape = undefined,
  Q extends Shape = undefined,
  B extends Shape = undefined,
>(
  spec: Common<P, Q, B> & Handle<P, Q, B, R>,
): PartnerRoute => spec as unknown as PartnerRoute
