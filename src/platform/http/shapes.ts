import { type TSchema, Type } from 'typebox'

/** Shapes that every area shares. Lengths count Unicode code points; strings arrive trimmed (B-request-6). */
export const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])

/** Beside the address of an image. */
export const ThumbnailUrl = Nullable(
  Type.String({
    description:
      'The address of a WebP of at most 320 × 320 pixels. Null unless the image is an upload of this workspace that has been decoded',
  }),
)

export const Id = Type.String({ minLength: 1, maxLength: 64, description: 'A prefixed ULID', title: 'Id' })
export const Instant = Type.String({
  format: 'date-time',
  description: 'RFC 3339, UTC, milliseconds',
  title: 'Instant',
})
export const Day = Type.String({ description: 'YYYY-MM-DD in the outlet’s time zone', title: 'Day' })
export const Rupiah = Type.Integer({
  minimum: 0,
  maximum: 1_000_000_000,
  description: 'Whole rupiah',
  title: 'Rupiah',
})
/** Sums of rupiah in responses; may exceed the limit of a single price. */
export const Amount = Type.Integer({ description: 'Whole rupiah', title: 'Amount' })
export const Text = (maxLength: number) => Type.String({ minLength: 1, maxLength })
/** A nullable text that may be sent empty to clear it. */
export const FreeText = (maxLength: number) => Nullable(Type.String({ maxLength }))
export const SortOrder = Type.Integer({ minimum: 0, maximum: 1_000_000 })
export const Words = <const T extends readonly string[]>(words: T, options: Record<string, unknown> = {}) =>
  Type.Unsafe<T[number]>({ type: 'string', enum: [...words], ...options })

/** A field that may be sent under another name as well; handlers see the first name alone. */
export const AlsoNamed = <T extends TSchema>(name: string, schema: T): T => ({ ...schema, 'x-also': name })

/** The member who approved it (B-approval-6). */
export const ApprovedBy = (what: string) =>
  Nullable({ ...Id, description: `The member who approved ${what}; null if no approval was needed` })

export const Timestamps = { createdAt: Instant, updatedAt: Instant }

export const IdParams = Type.Object({ id: Id })
/** Ids in filters are checked for length only: an unknown one returns an empty list (B-ids-3). */
export const FilterId = Type.Optional(Id)
export const Flag = Type.Optional(Words(['true', 'false', '1', '0']))
export const flagOf = (flag: 'true' | 'false' | '1' | '0' | undefined): boolean | undefined =>
  flag === undefined ? undefined : flag === 'true' || flag === '1'
export const Search = Type.Optional(Type.String({ minLength: 1, maxLength: 120 }))

const Limit = Type.Integer({ minimum: 1, maximum: 100, default: 20 })

/** One end of a window of time: an instant with its offset or a plain date (B-report-1). */
export const Edge = (description: string) =>
  Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 40,
      description: `${description}. A date such as 2026-11-21, or an instant with its offset such as 2026-11-21T08:00:00+07:00 (write + as %2B)`,
    }),
  )

export const PageQuery = {
  // Optional for the client, always there for the handler: validation fills the default in.
  limit: Type.Optional(Limit) as unknown as typeof Limit,
  cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
}

/**
 * Query of a list that is returned whole unless the caller requests a page; in order of names its cursors are longer.
 */
export const WholeQuery = {
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, description: 'Size of the page; without it the whole list' }),
  ),
  cursor: Type.Optional(
    Type.String({ minLength: 1, maxLength: 4_000, description: '`meta.cursor` of the page before' }),
  ),
}

export const ReasonBody = Type.Object({ reason: Type.Optional(FreeText(300)) }, { title: 'Reason' })
/** The response of DELETE for a record without history. */
export const Deleted = Type.Object({ id: Id, deleted: Type.Literal(true) }, { title: 'Deleted' })
