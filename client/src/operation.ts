import { type Answer, type CallOptions, call, type Meta, type Spec } from './call.ts'
import type { Connection } from './connection.ts'
import { pagesOf } from './pages.ts'

type OperationInput<T> = [NonNullable<T>] extends [never] ? unknown : NonNullable<T>
type OperationRequest = { body?: unknown; path?: unknown; query?: unknown }

/** A field of both query and body is sent in the body. */
type QueryInput<Q, B> = [NonNullable<Q>] extends [never] ? unknown : Omit<NonNullable<Q>, keyof B>

/** The input of a call: the fields of its path, query and body in one object. */
export type InputOf<D extends OperationRequest> = OperationInput<D['path']> &
  QueryInput<D['query'], OperationInput<D['body']>> &
  OperationInput<D['body']>

/** The result of a call: the `data` of the envelope, or a file. */
export type DataOf<R> = R[keyof R] extends infer A
  ? A extends { data: infer D }
    ? NonNullable<D>
    : Blob
  : never

export type Args<I> = object extends I
  ? [input?: I, options?: CallOptions]
  : [input: I, options?: CallOptions]

type Types<I, D> = { readonly types?: { input: I; data: D } }
type Rows<D> = D extends readonly (infer Row)[] ? Row : never

export type Operation<I, D> = Types<I, D> & {
  (connection: Connection, ...args: Args<I>): Promise<D>
  /** The same call, returning `meta` too: the request's id, and the cursor of a list. */
  withMeta(connection: Connection, ...args: Args<I>): Promise<{ data: D; meta: Meta }>
}
export type Listing<I, D> = Operation<I, D> & {
  /** Every row, page after page. */
  all(connection: Connection, ...args: Args<I>): AsyncGenerator<Rows<D>, void, undefined>
  /** Every page with its `meta`. */
  pages(connection: Connection, ...args: Args<I>): AsyncGenerator<{ data: D; meta: Meta }, void, undefined>
}

export type BoundOperations<O> =
  O extends Listing<infer _I, infer _D>
    ? O extends Types<infer I, infer D>
      ? {
          (...args: Args<I>): Promise<D>
          withMeta(...args: Args<I>): Promise<{ data: D; meta: Meta }>
          all(...args: Args<I>): AsyncGenerator<Rows<D>, void, undefined>
          pages(...args: Args<I>): AsyncGenerator<{ data: D; meta: Meta }, void, undefined>
        }
      : never
    : O extends Types<infer I, infer D>
      ? {
          (...args: Args<I>): Promise<D>
          withMeta(...args: Args<I>): Promise<{ data: D; meta: Meta }>
        }
      : never

type Input = Record<string, unknown>

export function operation<I, D>(spec: Spec): Operation<I, D> {
  const withMeta = (connection: Connection, input?: unknown, options?: CallOptions) =>
    call(connection, spec, (input ?? {}) as Input, options ?? {}) as Promise<Answer<D>>
  const plain = async (connection: Connection, input?: unknown, options?: CallOptions) =>
    (await withMeta(connection, input, options)).data
  return Object.assign(plain, { withMeta }) as Operation<I, D>
}

export function listing<I, D>(spec: Spec): Listing<I, D> {
  const one = operation<I, D>(spec)
  const pages = (connection: Connection, input?: unknown, options?: CallOptions) =>
    pagesOf((more) => call(connection, spec, { ...(input as Input | undefined), ...more }, options ?? {}))
  async function* all(connection: Connection, input?: unknown, options?: CallOptions) {
    for await (const { data } of pages(connection, input, options)) yield* data as unknown[]
  }
  return Object.assign(one, { pages, all }) as unknown as Listing<I, D>
}
