import { type ClientOptions, type Connection, connect } from './connection.ts'
import { namespaces } from './generated/namespaces.ts'
import { type Change, type LiveOptions, live } from './live.ts'
import type { BoundOperations } from './operation.ts'

type Namespaces = typeof namespaces
type Methods<N> = { [M in keyof N]: BoundOperations<N[M]> }
/** A namespace with a `list` operation also has `all` and `pages`. */
type Lists<N> = N extends { list: infer L }
  ? Pick<BoundOperations<L>, keyof BoundOperations<L> & ('all' | 'pages')>
  : unknown

export type Kasir = { readonly [N in keyof Namespaces]: Methods<Namespaces[N]> & Lists<Namespaces[N]> } & {
  /** Follows the live boards across lost connections: first "read all", then every change. */
  live(options?: LiveOptions): AsyncGenerator<Change, void, undefined>
  /** The first argument of the standalone functions. */
  readonly connection: Connection
}

type Loose = ((connection: Connection, ...args: unknown[]) => unknown) & Record<string, unknown>

/**
 * Creates a client of one service: `kasir.sales.create({ … })` returns the `data` of the answer. Throws a KasirUsageError if
 * the address or the key is invalid.
 */
export function createKasir(options: ClientOptions): Kasir {
  const connection = connect(options)
  const bind = (operation: Loose) => {
    const bound = (...args: unknown[]) => operation(connection, ...args)
    const more = ['withMeta', 'all', 'pages'].flatMap((name) => {
      const work = operation[name] as Loose | undefined
      return work ? [[name, (...args: unknown[]) => work(connection, ...args)] as const] : []
    })
    return Object.assign(bound, Object.fromEntries(more))
  }
  const kasir: Record<string, unknown> = {
    connection,
    live: (liveOptions?: LiveOptions) => live(connection, liveOptions),
  }
  for (const [name, operations] of Object.entries(namespaces)) {
    const methods: Record<string, unknown> = {}
    for (const [method, operation] of Object.entries(operations as object))
      methods[method] = bind(operation as unknown as Loose)
    const list = methods['list'] as Record<string, unknown> | undefined
    if (list?.['all']) Object.assign(methods, { all: list['all'], pages: list['pages'] })
    kasir[name] = methods
  }
  return kasir as Kasir
}
