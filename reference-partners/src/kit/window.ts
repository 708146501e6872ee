import { addMs, isDay, malformed, parseInstant } from 'kasir/partner-tools'
import { Type } from 'typebox'

const Moment = Type.String({
  minLength: 1,
  maxLength: 40,
  description: 'RFC 3339 with an offset, or a day (its midnight in UTC)',
})
export const WindowQuery = { from: Type.Optional(Moment), to: Type.Optional(Moment) }

export type Window = { from: string; to: string }
type WindowParams = { from?: string | undefined; to?: string | undefined }

const DEFAULT_MS = 30 * 86_400_000

function instantOf(name: 'from' | 'to', text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const instant = isDay(text) ? `${text}T00:00:00.000Z` : parseInstant(text)
  if (instant === null)
    throw malformed(name, `${name} must be RFC 3339 with an offset, or a day like 2026-11-22`)
  return instant
}

/**
 * From the first instant to before the second. The default of `to` is now, that of `from` thirty days before `to`.
 */
export function windowOf(asked: WindowParams, now: string): Window {
  const to = instantOf('to', asked.to) ?? now
  const from = instantOf('from', asked.from) ?? addMs(to, -DEFAULT_MS)
  if (from > to) throw malformed('from', 'from must not be after to')
  return { from, to }
}

/** The same for a list, where an absent bound means no bound. */
export const boundsOf = (asked: WindowParams): { from: string | null; to: string | null } => ({
  from: instantOf('from', asked.from) ?? null,
  to: instantOf('to', asked.to) ?? null,
})
