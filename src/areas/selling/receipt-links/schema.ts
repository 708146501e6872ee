import { type Static, Type } from 'typebox'
import { Id, Instant } from '../../../platform/http/shapes.ts'

export const ReceiptLink = Type.Object({
  url: Type.String({ description: 'The public page, in Indonesian; `?lang=en` shows it in English' }),
  expiresAt: Instant,
})
export type ReceiptLink = Static<typeof ReceiptLink>

export const LinkRevocation = Type.Object({ id: Id, revoked: Type.Literal(true) })
export type LinkRevocation = Static<typeof LinkRevocation>
