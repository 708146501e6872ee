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

/** Most rows of a list of a resource in an event. The rest is read by GET, which keeps the body small enough to deliver. */
const EVENT_LINES = 100
/** Most bytes of a resource in an event: each row may hold a long list, such as the modifiers of an item. */
const EVENT_BYTES = 128 * 1024
/** Rows, with those of the lists in them, that certainly fit, so that an ordinary sale is not measured. */
const SMALL_ROWS = 30

const rowsIn = (row: unknown): number =>
  Object.values(row as object).reduce<number>(
    (sum, value) => sum + (Array.isArray(value) ? value.length : 0),
    1,
  )

const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value))

/** How many of the first rows fit in so many bytes. */
function fittingRows(rows: readonly unknown[], bytes: number): number {
  let left = bytes
  const tooMany = rows.findIndex((row) => {
    left -= bytesOf(row) + 1
    return left < 0
  })
  return tooMany === -1 ? rows.length : tooMany
}

/**
 * The resource as an event contains it: the first rows of its lists, and `truncated` if there are more (B-event-1).
 * A list gets the room that the lists before it leave.
 */
export function shortened<R extends Record<L, readonly unknown[]>, L extends string>(
  resource: R,
  ...lists: readonly L[]
): R & { truncated?: true } {
  const first = lists.map((list) => ({ list, rows: resource[list].slice(0, EVENT_LINES) }))
  const rowCount = first.flatMap(({ rows }) => rows).reduce<number>((sum, row) => sum + rowsIn(row), 0)
  let short = {
    ...resource,
    ...Object.fromEntries(lists.map((list) => [list, []])),
    truncated: true as const,
  }
  for (const { list, rows } of first) {
    const count = rowCount <= SMALL_ROWS ? rows.length : fittingRows(rows, EVENT_BYTES - bytesOf(short))
    short = { ...short, [list]: rows.slice(0, count) }
  }
  return lists.every((list) => short[list].length === resource[list].length) ? resource : short
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
