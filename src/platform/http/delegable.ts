import { forbidden } from '../../core/errors.ts'
import { isUnsafe } from '../../core/methods.ts'
import { DELEGATION_MODES, type DelegationMode } from '../scope.ts'
import { type Access, authOf, type Delegation, type Route } from './route.ts'

/** What each class lets an assistant do (B-delegate-3); everything else is rejected. */
const LETS_IN: Readonly<Record<Delegation, (mode: DelegationMode, method: string) => boolean>> = {
  read: () => true,
  write: (mode, method) => mode === 'act' || !isUnsafe(method),
  books: (_mode, method) => !isUnsafe(method),
  forbidden: () => false,
  none: () => false,
}

/** Whether the route rejects assistants in at least one mode. */
export const isClosedToSome = ({ delegation, method }: Route): boolean =>
  DELEGATION_MODES.some((mode) => !LETS_IN[delegation](mode, method))

/** Throws 403 if an assistant in this mode may not call the route. */
export function requireDelegable({ delegation, method }: Route, mode: DelegationMode) {
  if (LETS_IN[delegation](mode, method)) return
  throw forbidden(
    delegation === 'write'
      ? 'The assistant is only reviewing: it may read this, but not change it'
      : 'This is not open to the assistant; do it yourself',
  )
}

/** Access kinds that write the audit event of an assistant's write (B-delegate-5). */
const AUDITED: readonly Access[] = ['write', 'prepare', 'partner', 'forward']

/** Why a row's delegation class cannot be enforced; the process does not start with such a row. */
export function delegationFaults(row: Route): string[] {
  const { delegation, method, access, secret } = row
  const writes = delegation === 'write'
  const checks: readonly (readonly [boolean, string])[] = [
    [!Object.hasOwn(LETS_IN, delegation ?? ''), 'it has no delegation class'],
    [(authOf(row) === 'credential') === (delegation === 'none'), 'none is for routes without a credential'],
    [
      delegation === 'read' && isUnsafe(method),
      'read is for GET: in review mode an assistant changes nothing',
    ],
    [
      writes && !AUDITED.includes(access),
      `a write of an assistant leaves its audit event, which only access: ${AUDITED.join(', ')} does`,
    ],
    [
      writes && secret !== undefined && !secret.hiddenFromDelegates?.length,
      'it must say what an assistant does not get of its answer',
    ],
  ]
  return checks.flatMap(([isWrong, fault]) =>
    isWrong ? [`${row.name} (${method} ${row.path}): ${fault}`] : [],
  )
}

/** Throws for rows whose class is missing or cannot be enforced. */
export function requireDelegations(rows: readonly Route[]) {
  const faults = rows.flatMap(delegationFaults)
  if (faults.length > 0) throw new Error(`The route table is wrong:\n${faults.join('\n')}`)
}
