import { Instant, Nullable, PageQuery, Text, Words } from 'kasir/partner-tools'
import { type Static, Type } from 'typebox'

const STATUSES = ['active', 'expired'] as const

export const License = Type.Object(
  {
    id: Type.String(),
    key: Type.String(),
    product: Type.String(),
    status: Words(STATUSES),
    expiresAt: Nullable(Instant),
    createdAt: Instant,
  },
  { title: 'License' },
)
export type License = Static<typeof License>

export const LicenseCreate = Type.Object(
  {
    product: Text(120),
    expiresAt: Type.Optional(
      Nullable(
        Type.String({
          minLength: 1,
          maxLength: 40,
          description: 'RFC 3339 with an offset; null never expires',
        }),
      ),
    ),
  },
  { title: 'LicenseCreate' },
)
export const LicenseQuery = Type.Object({ ...PageQuery, status: Type.Optional(Words(STATUSES)) })

export const LicenseValidate = Type.Object(
  {
    key: Type.String({ minLength: 1, maxLength: 64, description: 'In any case, with or without dashes' }),
    product: Type.Optional(Text(120)),
  },
  { title: 'LicenseValidate' },
)
export const Validated = Type.Object(
  { valid: Type.Boolean(), license: Nullable(License) },
  { title: 'LicenseValidated' },
)
