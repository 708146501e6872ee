import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify'
import type { Static, TObject, TSchema } from 'typebox'
import type { Page } from '../../core/cursor.ts'
import type { ErrorCode } from '../../core/errors.ts'
import type { Module } from '../../core/modules.ts'
import type { Db, Tx } from '../db/open.ts'
import type { Deps } from '../deps.ts'
import type { Printed } from '../print/print.ts'
import type { Role, Scope } from '../scope.ts'
import type { Csv } from './csv.ts'
import type { IdempotencyKey, Reply } from './idempotency.ts'
import type { Partner } from './partner.ts'
import type { Verify } from './signature.ts'
import type { Listed } from './whole.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** What a delegation token may do here. */
export type Delegation = 'read' | 'write' | 'books' | 'forbidden' | 'none'

/**
 * How a handler meets the database: `read` gets the pool; `write` gets one transaction that also holds the
 * idempotency row; `self` commits by itself (the hot path), holding the pool and the key; `raw` answers the request on
 * its own (streams, files); `partner` asks a partner over the network, between transactions; `forward` hands the request on to a partner as it is; `open` has no workspace yet (sign-in, health) and sees the request instead.
 */
export type Access = 'read' | 'write' | 'self' | 'partner' | 'forward' | 'raw' | 'open'
export type Auth = 'credential' | 'session' | 'none' | 'signature'

/** Runs what needs the database once the workspace has a place for it. */
export type Within = <T>(work: () => Promise<T>) => Promise<T>

type Shape = TObject | undefined
type Parsed<T extends Shape> = T extends TSchema ? Static<T> : undefined

type Input<P extends Shape, Q extends Shape, B extends Shape> = {
  deps: Deps
  scope: Scope
  params: Parsed<P>
  query: Parsed<Q>
  body: Parsed<B>
  headers: IncomingHttpHeaders
  log: FastifyBaseLogger
}

/** Unauthenticated routes have no workspace; their handlers see the request instead. */
export type Http = { request: FastifyRequest; reply: FastifyReply }

/** The rows of an object that holds one list: `Product` of `{ products: Product[] }`. */
type ElementOf<T> = RowOf<T[keyof T]>
type RowOf<V> = V extends readonly (infer E)[] ? E : never

type Returned<R extends TSchema> = Static<R> | WithStatus<Static<R>> | Redirect
/**
 * For a route whose status depends on what it found without being a refusal: health answers its whole body with 503.
 */
export type WithStatus<T> = { [statusKey]: number; value: T }
const statusKey = Symbol('status')
export const withStatus = <T>(status: number, value: T): WithStatus<T> => ({ [statusKey]: status, value })
export const statusAndValue = (result: unknown, fallback: number): { status: number; value: unknown } =>
  typeof result === 'object' && result !== null && statusKey in result
    ? { status: (result as WithStatus<unknown>)[statusKey], value: (result as WithStatus<unknown>).value }
    : { status: fallback, value: result }

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
   * it stays, whatever becomes of the path.
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
  /** The route is closed (409) where this module is off in the workspace. */
  module?: Module
  /** Checks the signature of a notice, which `auth: 'signature'` cannot do without. */
  verify?: Verify
  /** The setting that is the last part of the path; `path` has its default. */
  slug?: 'paymentProviderSlug' | 'fulfillmentProviderSlug'
  /** The least role that may call it (B-role-1); by default CASHIER reads and MANAGER writes. */
  role?: Role
  params?: P
  query?: Q
  body?: B
  /** The record that the body writes, where `returns` does not already say it (see `recordOf`). */
  record?: TSchema
  status?: number
  /** Stored replies of this route are encrypted: they hold a secret that is shown once. */
  secret?: boolean
  /** Keys of the answer that an assistant does not get: secrets, where it may make what they belong to. */
  hiddenFromDelegates?: readonly string[]
  bodyLimit?: number
  /** The media type of a `raw` answer, for the document; and those that the caller may ask for instead. */
  produces?: string
  alsoProduces?: readonly string[]
  /** Statuses beside `status` under which the whole body may come, for the document. */
  alsoAnswers?: readonly number[]
  /** A page that people are sent to: it redirects, and its refusals are pages for whoever asks for them. */
  visited?: boolean
  /** Takes query parameters that it does not know: somebody else writes this address. */
  lenientQuery?: boolean
  /** Anybody may keep the answer for so long; asked again with its `ETag`, it is 304 while it is the same. */
  cacheSeconds?: number
  /** What its handler refuses with beyond what the other words of the row imply (`refusals.ts`), for the document. */
  refuses?: readonly ErrorCode[]
  /** A row with `access: 'partner'` that only looks something up between transactions: no partner's refusal is passed on. */
  asksNoPartner?: boolean
  /** Reads `If-Match`, for the document. */
  ifMatch?: boolean
  /** It may need a partner before it can answer, and says so by an `Errand` (errands.ts). */
  errands?: true
  /**
   * True for a request that only reads what everybody who asks at the same time reads in one statement: it waits for no
   * place among the connections of its workspace, because it needs none of its own.
   */
  isShared?(query: Parsed<Q>): boolean
}

/**
 * What a partner answered a request that was handed on: data for our envelope, as JSON too where that is known, with the
 * place in a list; or a file as it is.
 */
export type Handed =
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
      page?: false
      whole?: false
      /** As below, in the form for rows that are spread over workers, where a statement for the key is a way of its own. */
      provesKey?: 'acrossWorkers'
      returns: R
      /** The answer as a table, for callers who ask with `format=csv` (`Format` in the query). */
      csv?(value: Static<R>, query: Parsed<Q>): Csv
      /** The answer on paper, for callers who ask with `format` html, text or escpos (`PaperQuery` in the query). */
      print?(value: Static<R>, query: Parsed<Q>): Printed
      handle(input: Input<P, Q, B> & { db: Db }): Promise<Returned<R>>
    }
  | {
      access: 'read'
      page: true
      whole?: false
      returns: R
      handle(input: Input<P, Q, B> & { db: Db }): Promise<Page<Static<R>>>
    }
  | {
      access: 'read'
      /** Answers one list under a key, whole or as a page; `returns` is an object of that list and what is said beside it. */
      whole: true
      page?: false
      /** As below: a list that is read with the proof in its own statement. */
      provesKey?: boolean
      returns: R
      handle(input: Input<P, Q, B> & { db: Db }): Promise<Listed<ElementOf<Static<R>>>>
    }
  | { access: 'write'; returns: R; handle(input: Input<P, Q, B> & { tx: Tx }): Promise<Returned<R>> }
  | {
      access: 'self'
      /**
       * The handler's first read also finds out whether the caller's API key is still valid, and it throws
       * `authRequired` when it does not: a key known from the last minute then costs no statement of its own.
       */
      provesKey?: boolean
      /** The handler asks for its places among the connections itself, `within` each time it needs one. */
      takesPlaces?: boolean
      returns: R
      handle(input: Input<P, Q, B> & { db: Db; idem: IdempotencyKey | null; within: Within }): Promise<Reply>
    }
  | {
      access: 'partner'
      /** How long the partner may take for one call; ten seconds by default. */
      partnerTimeoutMs?: number
      returns: R
      /**
       * Asks the partner, and returns what is left to do when it has answered: that runs in one transaction with the stored
       * reply, again after a deadlock, and never while a partner is asked. Neither half is given the pool. The key is kept
       * before the handler runs: after a crash the caller's next try asks the partner again under the same key.
       */
      handle(
        input: Omit<Input<P, Q, B>, 'deps'> & { deps: Omit<Deps, 'db' | 'pool'>; partner: Partner },
      ): Promise<(tx: Tx) => Promise<Returned<R>>>
    }
  | {
      access: 'forward'
      returns: R
      /**
       * Hands the request on: neither its query nor its body is judged here, and its key is the partner's to keep.
       */
      handle(
        input: Omit<Input<P, Q, B>, 'deps' | 'query' | 'body'> & {
          deps: Omit<Deps, 'db' | 'pool'>
          partner: Partner
          search: string
          body: unknown
        },
      ): Promise<Handed>
    }
  | { access: 'raw'; returns: R; handle(input: Input<P, Q, B> & Http & { db: Db }): Promise<unknown> }

type OpenHandle<P extends Shape, Q extends Shape, B extends Shape, R extends TSchema> = {
  access: 'open'
  auth: 'none' | 'session' | 'signature'
  /** Unknown for one that names a media type: it answers by itself. */
  returns: R
  handle(input: Omit<Input<P, Q, B>, 'scope'> & Http & { db: Db; now: string }): Promise<Returned<R>>
}

export type RouteSpec<P extends Shape, Q extends Shape, B extends Shape, R extends TSchema> = Common<
  P,
  Q,
  B
> &
  (Handle<P, Q, B, R> | OpenHandle<P, Q, B, R>)

/** A row of the route table. The type of each handler was checked where the row was written. */
export type Route = Common<TObject, TObject, TObject> & {
  access: Access
  page?: boolean
  whole?: boolean
  csv?(value: never, query: never): Csv
  print?(value: never, query: never): Printed
  provesKey?: boolean | 'acrossWorkers'
  takesPlaces?: boolean
  partnerTimeoutMs?: number
  returns: TSchema
  handle(input: never): Promise<unknown>
}

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
 * The record whose fields a body may hold without effect (B-request-5): the one that a route which creates, changes or
 * replaces a record answers. An action on a record (refund, void, receive) accepts its own fields only: `items` sent to
 * a refund must not be ignored as a field of the sale.
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
export const isUnsafe = (method: string) => !['GET', 'HEAD', 'OPTIONS'].includes(method)
const KEYED: readonly Access[] = ['write', 'self', 'partner', 'forward']
/** It takes an Idempotency-Key, here or at the partner it is handed on to. */
export const isKeyed = (row: Route) => KEYED.includes(row.access) && isUnsafe(row.method)
export const API_PREFIX = '/api/v1'
