import { ERRORS } from '../../core/errors.ts'
import { MODULES } from '../../core/modules.ts'
import { ROLES } from '../scope.ts'
import { requireDelegations } from './delegable.ts'
import type { GateMeans } from './gate.ts'
import { refusalsOf } from './refusals.ts'
import { authOf, type Route, roleOf } from './route.ts'

const NAME = /^[a-z]+([A-Z][a-z]+)*\.[a-z]+([A-Z][a-z]+)*$/

/**
 * Checks that every option of a row is enforced: an ignored option would look like a rule. Throws at start, with a
 * line for each option that is not enforced.
 */
export function requireEnforced(rows: readonly Route[], means: Pick<GateMeans, 'standingOf'>) {
  requireDelegations(rows)
  const names = new Set<string>()
  const faults = rows.flatMap((row) => {
    const found = faultsOf(row, means)
    if (names.has(row.name)) found.push('another route has this name')
    names.add(row.name)
    return found.map((fault) => `${row.name} (${row.method} ${row.path}): ${fault}`)
  })
  if (faults.length > 0) throw new Error(`The route table is wrong:\n${faults.join('\n')}`)
}

function isImplied({ document, ...row }: Route): boolean {
  return (document?.refuses ?? []).some((code) => refusalsOf(row).get(ERRORS[code].status)?.includes(code))
}

function faultsOf(row: Route, { standingOf }: Pick<GateMeans, 'standingOf'>): string[] {
  const auth = authOf(row)
  const isCredentialed = auth === 'credential'
  const checks: readonly (readonly [boolean, string])[] = [
    [!NAME.test(row.name), 'the name is not <namespace>.<verb> in camelCase'],
    [(row.access === 'open') === isCredentialed, 'access open and a credential exclude each other'],
    [row.role !== undefined && !ROLES.includes(row.role), 'there is no such role'],
    [row.role !== undefined && !isCredentialed, 'a role needs auth: credential'],
    [row.module !== undefined && !MODULES.includes(row.module), 'there is no such module'],
    [row.module !== undefined && !isCredentialed, 'a module needs a credential, which names the workspace'],
    [
      row.module !== undefined && standingOf === undefined,
      'a module needs standingOf, which reads the modules that are on',
    ],
    [row.perMinute !== undefined && auth !== 'none', 'a credential has its own budget: no perMinute here'],
    [
      row.hotPath?.provesKey !== undefined && row.module === undefined && roleOf(row) !== 'CASHIER',
      'the role of a remembered key may have changed, so every role must be let in',
    ],
    [
      row.mayReadReplica !== undefined && (row.access !== 'read' || row.method !== 'GET'),
      'only a GET with access: read may use the read replica',
    ],
    [row.needsPassword !== undefined && !isCredentialed, 'needsPassword needs auth: credential'],
    [row.approvals !== undefined && !isCredentialed, 'approvals need auth: credential'],
    [isImplied(row), 'refuses names a code that the other words of the row imply already'],
    [auth === 'signature' && row.verify === undefined, 'nothing verifies the signature'],
    [auth !== 'signature' && row.verify !== undefined, 'the signature is verified only with auth: signature'],
  ]
  return checks.flatMap(([isWrong, fault]) => (isWrong ? [fault] : []))
}
