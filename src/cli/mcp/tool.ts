import { type Static, type TObject, Type } from 'typebox'
import { Value } from 'typebox/value'
import type { Clock } from '../../platform/clock.ts'
import { UsageError } from '../command.ts'
import type { ServiceSession } from './session.ts'

/** The context of a tool call: the service as one member sees it, and the time. */
export type ToolContext = Pick<ServiceSession, 'kasir' | 'ready' | 'end'> & { clock: Clock }

export type Tool = {
  name: string
  title: string
  description: string
  /** Whether the tool writes. Such a tool is listed only in act mode. */
  isWriting: boolean
  inputSchema: TObject
  run(shop: ToolContext, input: unknown): Promise<unknown>
}

type TypedTool<T extends TObject> = Omit<Tool, 'inputSchema' | 'run'> & {
  input: T
  run(shop: ToolContext, input: Static<T>): Promise<unknown>
}

/** Declares a tool. A call whose arguments break the schema throws a UsageError before any request is sent. */
export const tool = <T extends TObject>({ input, run, ...told }: TypedTool<T>): Tool => ({
  ...told,
  inputSchema: input,
  run: async (shop, given) => {
    const strange = Object.keys(given as object).find((name) => !Object.hasOwn(input.properties, name))
    if (strange !== undefined) {
      throw new UsageError(
        `There is no argument ${JSON.stringify(strange)}; there is: ${Object.keys(input.properties).join(', ')}`,
      )
    }
    const [fault] = Value.Errors(input, given)
    if (fault === undefined) return run(shop, given as Static<T>)
    const where = fault.instancePath.slice(1).replaceAll('/', '.')
    throw new UsageError(`${where === '' ? 'The arguments' : where} ${fault.message}`)
  },
})

export const fields = <T extends Parameters<typeof Type.Object>[0]>(shape: T) =>
  Type.Object(shape, { additionalProperties: false })

export const Cursor = Type.Optional(
  Type.String({
    maxLength: 6000,
    description: 'The cursor of the previous answer, to get the rows after it',
  }),
)
export const Outlet = Type.Optional(
  Type.String({
    maxLength: 200,
    description: 'Name or id of the outlet; optional if there is only one',
  }),
)

type NamedRecord = { id: string; name: string }

/** Finds one of `all` by id or name. Throws and lists the existing names if there is not exactly one. */
export function findNamed<T extends NamedRecord>(what: string, all: readonly T[], said: string): T {
  const same = (name: string) => name.toLowerCase() === said.trim().toLowerCase()
  const found = all.filter(({ id, name }) => id === said || same(name))
  if (found.length === 1 && found[0]) return found[0]
  const there = (found.length > 1 ? found : all).slice(0, 30).map(({ id, name }) => `${name} (${id})`)
  throw new UsageError(
    `${found.length > 1 ? `Several have this name` : `There is no ${what} ${JSON.stringify(said)}`}; there is: ${there.join(', ') || 'none'}`,
  )
}

/** Returns the named outlet, or null for all outlets if the tool allows that and none was named. */
export async function outletOf({ kasir }: ToolContext, said: string | undefined) {
  const { outlets } = await kasir.outlets.list()
  if (said !== undefined) return findNamed('outlet', outlets, said)
  const [only, ...others] = outlets.filter(({ isActive }) => isActive)
  if (only && others.length === 0) return only
  return null
}

/** For tools that read a single outlet. */
export async function findOutlet(shop: ToolContext, said: string | undefined) {
  const outlet = await outletOf(shop, said)
  if (outlet) return outlet
  const { outlets } = await shop.kasir.outlets.list()
  throw new UsageError(
    outlets.length === 0
      ? 'There is no outlet yet'
      : `Name the outlet: ${outlets
          .slice(0, 30)
          .map(({ id, name }) => `${name} (${id})`)
          .join(', ')}`,
  )
}
