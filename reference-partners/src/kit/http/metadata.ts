import { malformed } from 'kasir/partner-tools'
import { Type } from 'typebox'

const MOST_NAME = 40

/** What a caller notes down for itself. A schema cannot bound its names in words: `requireNames` does. */
export const Metadata = Type.Record(Type.String(), Type.String({ maxLength: 500 }), {
  maxProperties: 40,
  description: `Kept and given back as it came; a name has at most ${MOST_NAME} characters`,
})

/** 400 for a name in metadata that is too long. */
export function requireNames(metadata: Readonly<Record<string, string>> = {}) {
  if (Object.keys(metadata).some((name) => Array.from(name).length > MOST_NAME))
    throw malformed('metadata', `A name in metadata must have at most ${MOST_NAME} characters`)
}
