import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox'
import { assert } from './assert.ts'

/** A name that webhooks may ask for, or one that the audit log alone keeps (B-event-3). */
export type EventName = `service.${string}.${string}.v${number}` | `audit.${string}.${string}.v${number}`

/** What an event says of itself: the subject it is listed under, its meaning, and the exact shape of its `data`. */
export type EventSpec<D extends TSchema> = { group: string; meaning: string; data: D }
export type EventType<D extends TSchema = TSchema> = EventSpec<D> & { name: EventName }
/** What `emit` must be given for an event of this type. */
export type DataOf<E extends EventType> = Static<E['data']>

/**
 * Declares an event of a room, in its `events.ts`. `data` holds records as their GET routes answer them (B-event-1);
 * docs/events.md and the webhooks of the OpenAPI document are printed from it, and nothing else can be emitted.
 */
export const event = <D extends TSchema>(name: EventName, spec: EventSpec<D>): EventType<D> => ({
  name,
  ...spec,
})

/** The same event on another occasion, which has other data to tell of it. */
export const occasionOf = <D extends TSchema>(type: EventType, data: D): EventType<D> => ({ ...type, data })

/** Every name once, in the order of the list; the data of one with several occasions is that of any of them. */
export function byName(types: readonly EventType[]): ReadonlyMap<string, EventType> {
  const found = new Map<string, EventType>()
  for (const type of types) {
    const known = found.get(type.name)
    assert(known === undefined || known.meaning === type.meaning, `${type.name} is declared once`)
    found.set(type.name, known ? { ...type, data: Type.Union([known.data, type.data]) } : type)
  }
  return found
}

/** True for what webhooks are offered; the rest is for the audit log alone. */
export const isOffered = ({ name }: EventType) => name.startsWith('service.')

/** Lines of a resource that an event carries; the rest is read by GET, so that a body stays small enough to deliver. */
const EVENT_LINES = 100

/** The resource as an event carries it: its first lines, and `truncated` when there are more (B-event-1). */
export const shortened = <R extends { items: readonly unknown[] }>(resource: R): R & { truncated?: true } =>
  resource.items.length <= EVENT_LINES
    ? resource
    : { ...resource, items: resource.items.slice(0, EVENT_LINES), truncated: true }

/** The shape of a record that `shortened` may have cut. */
export const Shortened = <P extends TProperties>(record: TObject<P>) =>
  Type.Object(
    {
      ...record.properties,
      truncated: Type.Optional(
        Type.Literal(true, {
          description: `Only the first ${EVENT_LINES} items are here; read the rest by GET`,
        }),
      ),
    },
    { title: `${(record as { title?: string }).title}InEvent` },
  )
