import { type Static, Type } from 'typebox'
import { Check } from 'typebox/value'
import { assert } from '../../../core/assert.ts'
import { ApiError } from '../../../core/errors.ts'
import { MODULES, type Module } from '../../../core/modules.ts'
import { includesModules } from '../../../core/plans.ts'
import { nearest } from '../../../core/suggest.ts'
import type { Identity } from '../../../platform/auth/authenticate.ts'
import type { Db, Tx } from '../../../platform/db/open.ts'
import type { Deps } from '../../../platform/deps.ts'
import type { Partner } from '../../../platform/http/partner.ts'
import { emit } from '../../../platform/outbox.ts'
import { type PartnerClient, pathOf } from '../../../platform/partners/client.ts'
import { requirePartner } from '../../../platform/partners/partners.ts'
import { effectiveTierOf } from '../../../platform/plans.ts'
import type { Scope } from '../../../platform/scope.ts'
import { getSettings } from '../settings/index.ts'
import { moduleChanged } from './events.ts'
import type { ModuleState, ModuleToggle } from './schema.ts'
import * as store from './store.ts'

/** Every module, whatever the workspace ever did with it. */
export async function listModules(db: Db, scope: Scope): Promise<ModuleState[]> {
  const allowed = includesModules(await effectiveTierOf(db, scope))
  const rows = await store.list(db, scope)
  return MODULES.map((module) =>
    stateOf(
      allowed,
      module,
      rows.find((row) => row.module === module),
    ),
  )
}

function stateOf(allowed: boolean, module: Module, row: store.ModuleRow | undefined): ModuleState {
  return {
    module,
    enabled: allowed && (row?.enabled ?? false),
    allowed,
    provisionedAt: row?.provisionedAt ?? null,
  }
}

/** What the gate asks: the modules that are on and that the plan includes. */
export async function modulesOf(
  { db, config: { defaultTier } }: { db: Db; config: Pick<Deps['config'], 'defaultTier'> },
  { accountId }: Pick<Identity, 'accountId'>,
  now: string,
): Promise<ReadonlySet<Module>> {
  if (!includesModules(await effectiveTierOf(db, { accountId, defaultTier, now }))) return new Set()
  const rows = await store.list(db, { accountId })
  return new Set(rows.filter(({ enabled }) => enabled).map(({ module }) => module))
}

/** 422 UNKNOWN_MODULE, before anything else about the request is judged (B-module-3). */
export function requireModule(name: string): Module {
  const known = MODULES.find((module) => module === name)
  if (known) return known
  const near = nearest(name, MODULES)
  const hint = near === null ? `there are ${MODULES.join(', ')}` : `did you mean ${near}?`
  throw new ApiError('UNKNOWN_MODULE', `There is no module "${name}"; ${hint}`, { param: 'module' })
}

async function requirePlan(db: Db, scope: Scope) {
  if (includesModules(await effectiveTierOf(db, scope))) return
  throw new ApiError('PLAN_UPGRADE_REQUIRED', 'Modules belong to the paid plans; upgrade under billing first')
}

/** Modules that do most of what they do by themselves: without a partner they work but for what only it knows. */
const WORKS_ALONE: readonly Module[] = ['marketing']

const Provisioned = Type.Object({
  workspaceId: Type.String({ minLength: 1, maxLength: 200 }),
  apiKey: Type.String({ minLength: 1, maxLength: 500, pattern: '^[\\x21-\\x7e]+$' }),
})

/** What it takes to ask a partner on behalf of a workspace. */
export type Means = { deps: Pick<Deps, 'partners' | 'secrets'>; scope: Scope; partner: Partner }

/**
 * The place of the workspace at the partner of the module; null when it has one, or when there is no partner to ask and the
 * module does without. 502 PARTNER_ERROR where it cannot: the module stays as it is (B-module-4).
 */
async function provision(
  { deps, scope, partner }: Means,
  module: Module,
): Promise<store.PlaceAtPartner | null> {
  if (deps.partners[module] === null && WORKS_ALONE.includes(module)) return null
  const client = requirePartner(deps.partners, module)
  const known = await partner.read((db) => store.find(db, scope, module))
  if (known?.partner === client.id) return null
  const { businessName } = await partner.read((db) => getSettings(db, scope))
  const { data } = await partner.call((forward) =>
    client.ask(
      {
        method: 'POST',
        path: pathOf('v1', 'workspaces'),
        key: client.platformKey,
        body: { externalId: scope.accountId, name: businessName },
      },
      forward,
    ),
  )
  if (!Check(Provisioned, data)) {
    throw new ApiError('PARTNER_ERROR', `The ${module} partner gave the workspace no place; try again later`)
  }
  const { workspaceId, apiKey } = data as Static<typeof Provisioned>
  const place = { table: 'modules', column: 'partner_key', accountId: scope.accountId, row: module } as const
  return {
    partner: client.id,
    partnerWorkspaceId: workspaceId,
    partnerKey: deps.secrets.seal(apiKey, place),
  }
}

/**
 * Switches a module on or off; asks the partner first where the workspace has no place there yet, and returns what is left
 * to write. Off is always allowed, on is 402 on the free plan.
 */
export async function toggleModule(
  means: Means,
  { module: name, enabled }: ModuleToggle,
): Promise<(tx: Tx) => Promise<{ module: ModuleState }>> {
  const module = requireModule(name)
  if (enabled) await means.partner.read((db) => requirePlan(db, means.scope))
  const place = enabled ? await provision(means, module) : null
  return async (tx) => ({ module: await write(tx, means.scope, module, { enabled, place }) })
}

async function write(
  tx: Tx,
  scope: Scope,
  module: Module,
  change: { enabled: boolean; place: store.PlaceAtPartner | null },
): Promise<ModuleState> {
  const before = await store.lock(tx, scope, module)
  const isChanged = before.enabled !== change.enabled
  if (isChanged || change.place) await store.update(tx, scope, module, change)
  const allowed = includesModules(await effectiveTierOf(tx, scope))
  const state = stateOf(allowed, module, await store.find(tx, scope, module))
  if (isChanged) await emit(tx, scope, moduleChanged, module, { module: state })
  return state
}

/**
 * The partner of a module and the key of the workspace there, for a route behind the gate of that module. A place that is
 * missing is asked for: the module was switched on before the partner came, or the operator has named another one.
 */
export async function placeAtPartner(
  means: Means,
  module: Module,
): Promise<{ client: PartnerClient; key: string; workspaceId: string }> {
  const { deps, scope, partner } = means
  const client = requirePartner(deps.partners, module)
  const known = await partner.read((db) => store.find(db, scope, module))
  const at = { table: 'modules', column: 'partner_key', accountId: scope.accountId, row: module } as const
  if (known?.partner === client.id && known.partnerKey !== null && known.partnerWorkspaceId !== null) {
    const { partnerKey, partnerWorkspaceId: workspaceId } = known
    return { client, key: await deps.secrets.open(partnerKey, at), workspaceId }
  }
  const place = await provision(means, module)
  assert(place, 'a partner that there is gives a place')
  await partner.inTx(async (tx) => {
    const { enabled } = await store.lock(tx, scope, module)
    await store.update(tx, scope, module, { enabled, place })
  })
  const { partnerKey, partnerWorkspaceId: workspaceId } = place
  return { client, key: await deps.secrets.open(partnerKey, at), workspaceId }
}
