import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify'
import type { Static, TObject, TSchema } from 'typebox'
import type { ApprovalAction } from '../../core/approvals.ts'
import type { Page } from '../../core/cursor.ts'
import type { ErrorCode } from '../../core/errors.ts'
import { isUnsafe } from '../../core/methods.ts'
import type { Module } from '../../core/modules.ts'
import type { Db, Tx } from '../db/open.ts'
import type { WithSlot } from '../db/places.ts'
import type { Deps } from '../deps.ts'
import type { Role, Scope } from '../scope.ts'
import type { Csv } from './csv.ts'
import type { IdempotencyKey, Reply } from './idempotency.ts'
import type { PaperResponse } from './paper.ts'
import type { Partner } from './partner.ts'
import type { Verify } from './signature.ts'
import type { ListResult } from './whole.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** What a delegation token may do here. */
export type Delegation = 'read' | 'write' | 'books' | 'forbidden' | 'none'

/** How the handler of a row uses the database and partners. ARCHITECTURE.md prints this list. */
export const ACCESS = {
  read: 'gets the pool and answers one record',
  page: 'gets the pool and answers one page of a list',
  whole: 'gets the pool and answers a list whole, one portion at a time, or as a page',
  write: 'gets one transaction, which also holds the idempotency row and is retried',
  self: 'gets the pool and the Idempotency-Key, and commits by itself (the hot path)',
  prepare: 'checks with no transaction open, then writes in one',
  partner: 'asks a partner with no transaction open, then writes in one',
  forward: 'hands the request to a partner, which keeps the Idempotency-Key',
  raw: 'answers the request itself, with a stream or a file',
  open: 'knows no workspace yet (sign-in, health) and gets the request instead',
} as const
export type Access = keyof typeof ACCESS
export type Auth = 'credential' | 'session' | 'none' | 'signature'

type Shape = TObject | undefined
type ParsedShape<T extends Shape> = T extends TSchema ? Static<T> : undefined

type Input<P extends Shape, Q extends Shape, B extends Shape> = {
  deps: Deps
  scope: Scope
  params: ParsedShape<P>
  query: ParsedShape<Q>
  body: ParsedShape<B>
  headers: IncomingHttpHeaders
  log: FastifyBaseLogger
}

/** Unauthenticated routes have no workspace; their handlers see the request instead. */
export type Http = { request: FastifyRequest; reply: FastifyReply }

/** The rows of an object that holds one list: `Product` of `{ products: Product[] }`. */
type ElementOf<T> = RowOf<T[keyof T]>
type RowOf<V> = V extends readonly (infer E)[] ? E : never

type HandlerResult<R extends TSchema> = Static<R> | WithStatus<Static<R>> | Redirect
/**
 * For a route whose status depends on its result without being an error: health sends its whole body with 503.
 */
export type WithStatus<T> = { [statusKey]: number; value: T }
const statusKey = Symbol('status')
export const withStatus = <T>(status: number, value: T): WithStatus<T> => ({ [statusKey]: status, value })
export function statusAndValue(result: unknown, fallback: number): { status: number; value: unknown } {
  if (typeof result !== 'object' || result === null) return { status: fallback, value: result }
  if (statusKey in result) {
    const { [statusKey]: status, value } = result as WithStatus<unknown>
    return { status, value }
  }
  return { status: fallback, value: secondsKey in result ? (result as Cacheable<unknown>).value : result }
}

/** Sends the value with its `ETag`: anyone may cache it for the given seconds. */
export type Cacheable<T> = { [secondsKey]: number; value: T }
const secondsKey = Symbol('seconds')
export const cacheable = <T>(seconds: number, value: T): Cacheable<T> => ({ [secondsKey]: seconds, value })
export const cacheSecondsOf = (result: unknown): number | undefined =>
  typeof result === 'object' && result !== null && secondsKey in result
    ? (result as Cacheable<unknown>)[secondsKey]
    : undefined

/** Sends the browser on to another page: 302 without a body. */
export type Redirect = { [redirectKey]: string }
const redirectKey = Symbol('redirect')
export const redirectTo = (location: string): Redirect => ({ [redirectKey]: location })
export const locationOf = (result: unknown): string | undefined =>
  typeof result === 'object' && result !== null && redirectKey in result
    ? (result as Redirect)[redirectKey]
    : undefined

type Common<P extends Shape, Q extends Shape, B extends Shape> = {
  /**
   * `<namespace>.<verb>`, both in camelCase and unique: the operation's id, and the method of a client. Once released
   * it never changes, even if the path does.
   */
  name: `${string}.${string}`
  method: Method
  /** After /api/v1, with {placeholders}. */
  path: string
  area: string
  summary: string
  description?: string
  delegation: Delegation
  auth?: Auth
  /** The route answers 409 if this module is off in the workspace. */
  module?: Module
  /** The least role that may call it (B-role-1); by default CASHIER reads and MANAGER writes. */
  role?: Role
  params?: P
  query?: Q
  body?: B
  /** The record that the body writes, unless `returns` already names it (see `recordOf`). */
  record?: TSchema
  status?: number
  bodyLimit?: number
  /** The media type of a response without the envelope. */
  produces?: string
  /** A session that began with a PIN gets 403 (B-pin-5). */
  needsPassword?: true
  /** Actions of this route that may need an approval: a cashier gets 403 without one (B-approval-2). */
  approvals?: readonly ApprovalAction[]
  /** It may need a partner before it can respond, and then throws an `Errand` (errands.ts). */
  errands?: true
  /** Facts for the API document only. */
  document?: DocumentWords
}

type DocumentWords = {
  /** Error codes of the handler, beyond those that the rest of the row implies (`refusals.ts`). */
  refuses?: readonly ErrorCode[]
  /** Statuses beside `status` with the same body. */
  alsoAnswers?: readonly number[]
  /** Media types beside `produces` that the caller may ask for. */
  alsoProduces?: readonly string[]
  /** It reads `If-Match`. */
  ifMatch?: true
  /** A forwarded list that comes in pages. */
  isPage?: true
  /** A request with the current `ETag` gets 304. */
  isCached?: true
}

/**
 * Options for the hot path. With `provesKey` the handler's first read also checks that the caller's API key is still
 * valid, and throws `authRequired` otherwise: a key seen in the last minute then needs no separate query. With
 * `holdsSlot: false` the request holds no connection slot while it runs.
 */
type HotPath<Proof, Slot> = { provesKey?: Proof; holdsSlot?: Slot }

/**
 * A partner's response to a forwarded request: data for our envelope, with its JSON text if known and the list
 * position, or a file.
 */
export type ProxiedResponse =
  | {
      status: number
      data: unknown
      text?: string | undefined
      page?: { cursor: string | null; hasMore: boolean }
    }
  | { file: Buffer; type: string; headers: Readonly<Record<string, string>> }

type Handle<P extends Shape, Q extends Shape, B extends Shape, R extends TSchema> =
  | {
      access: 'read'
      /**
       * `acrossWorkers`: the read proves the key only in a sharded database, because a separate query for the
       * key costs a round trip there. A read that many requests share takes no slot.
       */
      hotPath?: HotPath<'acrossWorkers', false | ((query: ParsedShape<Q>) => boolean)>
      /**
       * An answer a few seconds old is right: the handler gets the read replica if there is a usable one. It may run
       * again on the primary, so it must only read.
       */
      mayReadReplica?: true
      returns: R
      /** Other formats of the response, which the caller selects with `format` in the query. */
      formats?: Formats<Static<R>, ParsedShape<Q>>
      handle(input: Input<P, Q, B> & { db: Db }): Promise<HandlerResult<R>>
    }
  | {
      access: 'page'
      returns: R
      handle(input: Input<P, Q, B> & { db: Db }): Promise<Page<Static<R>>>
    }
  | {
      access: 'whole'
      hotPath?: HotPath<true, never>
      /** An object with one list and the fields beside it. */
      returns: R
      handle(input: Input<P, Q, B> & { db: Db }): Promise<ListResult<ElementOf<Static<R>>>>
    }
  | { access: 'write'; returns: R; handle(input: Input<P, Q, B> & { tx: Tx }): Promise<HandlerResult<R>> }
  | {
      access: 'self'
      /** With `holdsSlot: false` the handler takes a slot for each use of the database, by `within`. */
      hotPath?: HotPath<true, false>
      returns: R
      handle(
        input: Input<P, Q, B> & { db: Db; idem: IdempotencyKey | null; within: WithSlot },
      ): Promise<Reply>
    }
  | {
      access: 'prepare'
      returns: R
      /**
       * Returns the remaining write, which runs in one transaction with the stored reply and is retried after a
       * deadlock.
       */
      handle(
        input: WithoutDatabase<Input<P, Q, B>> & { partner: Pick<Partner, 'read'> },
      ): Promise<(tx: Tx) => Promise<HandlerResult<R>>>
    }
  | {
      access: 'partner'
      returns: R
      /**
       * Calls the partner and returns the remaining write, as `prepare` does. Neither half receives the pool. The key
       * is stored before the handler runs: after a crash the caller's retry calls the partner again under the same
       * key.
       */
      handle(
        input: WithoutDatabase<Input<P, Q, B>> & { partner: Partner },
      ): Promise<(tx: Tx) => Promise<HandlerResult<R>>>
    }
  | {
      access: 'forward'
      returns: R
      /** Receives query and body unchanged: the partner validates them. */
      handle(
        input: Omit<WithoutDatabase<Input<P, Q, B>>, 'query' | 'body'> & {
          partner: Partner
          search: string
          body: unknown
        },
      ): Promise<ProxiedResponse>
    }
  | {
      access: 'raw'
      hotPath?: HotPath<never, false>
      returns: R
      handle(input: Input<P, Q, B> & Http & { db: Db }): Promise<unknown>
    }

type WithoutDatabase<I> = Omit<I, 'deps'> & { deps: Omit<Deps, 'db' | 'pool'> }

type Formats<Answer, Query> = {
  /** A table, for `format=csv` (`Format` in the query). */
  csv?(answer: Answer, query: Query): Csv
  /** Paper, for `format` html, text or escpos (`PaperQuery` in the query). */
  paper?(answer: Answer, query: Query): PaperResponse
}

type OpenHandle<P extends Shape, Q extends Shape, B extends Shape, R extends TSchema> = {
  access: 'open'
  auth: 'none' | 'session' | 'signature'
  /** Unknown if `produces` names a media type: the handler then sends the response itself. */
  returns: R
  handle(
    input: Omit<Input<P, Q, B>, 'scope'> & Http & { db: Db; now: string },
  ): Promise<HandlerResult<R> | Cacheable<Static<R>>>
}

export type RouteSpec<P extends Shape, Q extends Shape, B extends Shape, R extends TSchema> = Common<
  P,
  Q,
  B
> & {
  /** For a response with a secret that is shown once: its stored replies are encrypted. */
  secret?: {
    /** Returns the response for another actor who repeats the request. */
    mask(answer: Static<R>): unknown
    /** Fields of the response that are hidden from an assistant that may call the route. */
    hiddenFromDelegates?: readonly string[]
  }
} & (Handle<P, Q, B, R> | OpenHandle<P, Q, B, R>)

/** A row of the route table. The type of each handler was checked where the row was written. */
export type Route = Common<TObject, TObject, TObject> &
  RouteTraits & {
    access: Access
    hotPath?: HotPath<true | 'acrossWorkers', false | ((query: never) => boolean)>
    mayReadReplica?: true
    formats?: Formats<never, never>
    secret?: { mask(answer: never): unknown; hiddenFromDelegates?: readonly string[] }
    returns: TSchema
    handle(input: never): Promise<unknown>
  }

/** Options that few rows have; their areas add them with `withTraits`. */
export type RouteTraits = {
  /** Checks the signature of a notification, as `auth: 'signature'` requires. */
  verify?: Verify
  /** A browser-facing page: it redirects, and errors are rendered as HTML. */
  isVisited?: true
  /** It accepts unknown query parameters, because others write its address. */
  acceptsUnknownQuery?: true
  /** Requests per minute of one address to this route, counted apart from its other requests (B-limit-2). */
  perMinute?: number
}
export const withTraits = (traits: RouteTraits, row: Route): Route => ({ ...row, ...traits })

/** Declares a route: the one cast of the table, after the compiler has checked the handler against its shapes. */
export const route = <
  R extends TSchema,
  P extends Shape = undefined,
  Q extends Shape = undefined,
  B extends Shape = undefined,
>(
  spec: RouteSpec<P, Q, B, R>,
): Route => spec as unknown as Route

/**
 * The record whose fields a body may hold without effect (B-request-5): the one returned by a route that creates,
 * changes or replaces a record. An action on a record (refund, void, receive) accepts its own fields only: `items`
 * sent to a refund must not be ignored as a field of the sale.
 */
export function recordOf(row: Route): TSchema | undefined {
  if (row.record !== undefined) return row.record
  if (row.status !== 201 && row.method !== 'PUT' && row.method !== 'PATCH') return undefined
  if (titleOf(row.returns)) return row.returns
  const { properties = {} } = row.returns as { properties?: Record<string, TSchema> }
  const records = Object.values(properties).filter(titleOf)
  return records.length === 1 ? records[0] : undefined
}
const titleOf = (schema: TSchema): boolean => (schema as { title?: string }).title !== undefined

export const authOf = (row: Route): Auth => row.auth ?? 'credential'
export const roleOf = (row: Route): Role => row.role ?? (row.method === 'GET' ? 'CASHIER' : 'MANAGER')
const KEYED: readonly Access[] = ['write', 'self', 'prepare', 'partner', 'forward']
/** It accepts an Idempotency-Key, here or at the partner it is forwarded to. */
export const isKeyed = (row: Route) => KEYED.includes(row.access) && isUnsafe(row.method)
/** A paginated list, from here or from a partner. */
export const isPage = (row: Route) => row.access === 'page' || row.document?.isPage === true
export const API_PREFIX = '/api/v1'
