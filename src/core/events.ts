import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox'
import { assert } from './assert.ts'

/** A name that webhooks can subscribe to, or one that only the audit log stores (B-event-3). */
export type EventName = `service.${string}.${string}.v${number}` | `audit.${string}.${string}.v${number}`

/** The declaration of an event: its subject, its meaning, and the exact shape of its `data`. */
export type EventSpec<D extends TSchema> = { group: string; meaning: string; data: D }
export type EventType<D extends TSchema = TSchema> = EventSpec<D> & { name: EventName }
/** The data that `emit` requires for an event of this type. */
export type DataOf<E extends EventType> = Static<E['data']>

/**
 * Declares an event of an area, in its `events.ts`. `data` holds records as their GET routes return them (B-event-1).
 * docs/events.md and the webhooks of the OpenAPI document are generated from it, and only declared events can be
 * emitted.
 */
export const event = <D extends TSchema>(name: EventName, spec: EventSpec<D>): EventType<D> => ({
  name,
  ...spec,
})

/** The same event emitted on another occasion, with different data. */
export const occasionOf = <D extends TSchema>(type: EventType, data: D): EventType<D> => ({ ...type, data })

/** Each name once, in the order of the list. An event with several occasions accepts the data of any of them. */
export function byName(types: readonly EventType[]): ReadonlyMap<string, EventType> {
  const found = new Map<string, EventType>()
  for (const type of types) {
    const known = found.get(type.name)
    assert(known === undefined || known.meaning === type.meaning, `${type.name} is declared once`)
    found.set(type.name, known ? { ...type, data: Type.Union([known.data, type.data]) } : type)
  }
  return found
}

/** True for events that webhooks can receive; all others are only in the audit log. */
export const isOffered = ({ name }: EventType) => name.startsWith('service.')

/** Most items of a resource in an event. The rest is read by GET, which keeps the body small enough to deliver. */
const EVENT_LINES = 100
/** Most bytes of a resource in an event: each item may hold a long list of modifiers. */
const EVENT_BYTES = 128 * 1024
/** Items, with the rows of the lists in them, that certainly fit, so that an ordinary sale is not measured. */
const SMALL_ROWS = 30

const rowsIn = (item: unknown): number =>
  Object.values(item as object).reduce<number>(
    (sum, value) => sum + (Array.isArray(value) ? value.length : 0),
    1,
  )

const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value))

/** How many of the first items an event has room for beside the other fields of the resource. */
function fittingItems(items: readonly unknown[], beside: object): number {
  const first = items.slice(0, EVENT_LINES)
  if (first.reduce<number>((sum, item) => sum + rowsIn(item), 0) <= SMALL_ROWS) return first.length
  let left = EVENT_BYTES - bytesOf(beside)
  const tooMany = first.findIndex((item) => {
    left -= bytesOf(item) + 1
    return left < 0
  })
  return tooMany === -1 ? first.length : tooMany
}

/** The resource as an event contains it: the first rows of its list, and `truncated` if there are more (B-event-1). */
export function shortened<R extends Record<L, readonly unknown[]>, L extends string = 'items'>(
  resource: R,
  list: L = 'items' as L,
): R & { truncated?: true } {
  const items = resource[list]
  const count = fittingItems(items, { ...resource, [list]: [], truncated: true })
  return count === items.length ? resource : { ...resource, [list]: items.slice(0, count), truncated: true }
}

/** The schema of a record that `shortened` may have truncated. */
export const Shortened = <P extends TProperties>(record: TObject<P>, list = 'items') =>
  Type.Object(
    {
      ...record.properties,
      truncated: Type.Optional(
        Type.Literal(true, {
          description: `Only the first ${list} are here; read the rest by GET`,
        }),
      ),
    },
    { title: `${(record as { title?: string }).title}InEvent` },
  )
