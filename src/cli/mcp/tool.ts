import { type Static, type TObject, Type } from 'typebox'
import { Value } from 'typebox/value'
import type { Clock } from '../../platform/clock.ts'
import { UsageError } from '../command.ts'
import type { Session } from './session.ts'

/** What a tool has: the service, as one member sees it, and what time it is. */
export type Shop = Pick<Session, 'kasir' | 'ready' | 'end'> & { clock: Clock }

export type Tool = {
  name: string
  title: string
  description: string
  /** Whether it changes anything; such a tool is listed in act mode alone. */
  isWriting: boolean
  inputSchema: TObject
  run(shop: Shop, input: unknown): Promise<unknown>
}

type Declared<T extends TObject> = Omit<Tool, 'inputSchema' | 'run'> & {
  input: T
  run(shop: Shop, input: Static<T>): Promise<unknown>
}

/** Declares a tool. Throws a UsageError for what does not fit its schema, before anything is sent. */
export const tool = <T extends TObject>({ input, run, ...told }: Declared<T>): Tool => ({
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
  Type.String({ maxLength: 6000, description: 'The cursor of the answer before, for the rows after it' }),
)
export const Outlet = Type.Optional(
  Type.String({
    maxLength: 200,
    description: 'Name or id of the outlet; may be left out where there is only one',
  }),
)

type Named = { id: string; name: string }

/** The one of `all` that a person means by its id or its name; throws with the names there are. */
export function meant<T extends Named>(what: string, all: readonly T[], said: string): T {
  const same = (name: string) => name.toLowerCase() === said.trim().toLowerCase()
  const found = all.filter(({ id, name }) => id === said || same(name))
  if (found.length === 1 && found[0]) return found[0]
  const there = (found.length > 1 ? found : all).slice(0, 30).map(({ id, name }) => `${name} (${id})`)
  throw new UsageError(
    `${found.length > 1 ? `Several are called so` : `There is no ${what} ${JSON.stringify(said)}`}; there is: ${there.join(', ') || 'none'}`,
  )
}

/** The outlet that is meant; null for all of them where a tool allows that and none was named. */
export async function outletOf({ kasir }: Shop, said: string | undefined) {
  const { outlets } = await kasir.outlets.list()
  if (said !== undefined) return meant('outlet', outlets, said)
  const [only, ...others] = outlets.filter(({ isActive }) => isActive)
  if (only && others.length === 0) return only
  return null
}

/** For tools that look at one place only. */
export async function oneOutlet(shop: Shop, said: string | undefined) {
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
