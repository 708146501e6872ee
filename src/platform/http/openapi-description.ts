import { isUnsafe } from '../../core/methods.ts'
import { authOf, isKeyed, isPage, type Route, roleOf } from './route.ts'

const CALLERS = {
  OWNER: 'For owners.',
  MANAGER: 'For managers and owners.',
  CASHIER: 'For every member.',
} as const

/**
 * The row's own description, then the text derived from the rest of the row: who may call it, and under which terms.
 */
export function descriptionOf(row: Route): string {
  const sentences = [...callersOf(row), ...termsOf(row)].join(' ')
  return [row.description, sentences].filter((part) => part !== undefined && part !== '').join('\n\n')
}

function callersOf(row: Route): string[] {
  const auth = authOf(row)
  if (auth === 'none') return ['No credential is needed.']
  if (auth === 'signature') return ['The partner signs the request; no other credential is read.']
  if (auth === 'session') return []
  return [
    CALLERS[roleOf(row)],
    ...(isUnsafe(row.method) ? ['Read-only API keys are refused.'] : []),
    ...assistantsOf(row),
  ]
}

function assistantsOf({ delegation, method }: Route): string[] {
  if (delegation === 'forbidden') return ['Assistants are refused.']
  if (!isUnsafe(method)) return []
  return [delegation === 'write' ? 'An assistant needs act mode.' : 'Assistants are refused.']
}

function termsOf(row: Route): string[] {
  const { access, module } = row
  const key =
    access === 'forward'
      ? 'The `Idempotency-Key` goes to the partner, which keeps the answer.'
      : 'A repeat with the same `Idempotency-Key` gets the first answer.'
  return [
    ...(module === undefined ? [] : [`The ${module} module must be on.`]),
    ...(access === 'forward' ? [forwardedTo(row)] : []),
    ...(isPage(row) ? ['The list comes in pages: `meta.cursor` leads to the next one.'] : []),
    ...(row.access === 'whole' ? ['Answers the whole list, or with `limit` a page of it.'] : []),
    ...(row.formats?.csv ? ['`format=csv` answers a table.'] : []),
    ...(row.document?.ifMatch ? ['`If-Match` refuses the change if the record is at another version.'] : []),
    ...(isKeyed(row) ? [key] : []),
  ]
}

const forwardedTo = ({ module, produces }: Route) =>
  produces === undefined
    ? `The request is forwarded unchanged to the ${module} partner; its answer comes back in the envelope.`
    : `The request is forwarded to the ${module} partner; its file comes back unchanged.`
