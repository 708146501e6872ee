import { type Static, Type } from 'typebox'
import { Check } from 'typebox/value'
import { assert } from '../../../core/assert.ts'
import { ApiError } from '../../../core/errors.ts'
import { MODULES, type Module } from '../../../core/modules.ts'
import { effectiveTier, includesModules } from '../../../core/plans.ts'
import { nearest } from '../../../core/suggest.ts'
import type { Identity } from '../../../platform/auth/authenticate.ts'
import type { Db, Tx } from '../../../platform/db/open.ts'
import type { Deps } from '../../../platform/deps.ts'
import type { Standing } from '../../../platform/http/gate.ts'
import type { Partner } from '../../../platform/http/partner.ts'
import { emit } from '../../../platform/outbox.ts'
import { type PartnerClient, pathOf } from '../../../platform/partners/client.ts'
import { requirePartner } from '../../../platform/partners/partners.ts'
import { effectiveTierOf } from '../../../platform/plans.ts'
import type { ModuleAtGate, Scope } from '../../../platform/scope.ts'
import { getSettings } from '../settings/index.ts'
import { moduleChanged } from './events.ts'
import type { ModuleState, ModuleToggle } from './schema.ts'
import { findShared, findStanding, type Stored } from './statements.ts'
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

type Asking = { db: Db; config: Pick<Deps['config'], 'defaultTier'> }

/** The modules that are on and that the plan includes. */
export async function modulesOf(
  { db, config }: Asking,
  { accountId }: Pick<Identity, 'accountId'>,
  now: string,
): Promise<ReadonlySet<Module>> {
  return enabledOf(await findStanding(db, accountId), config, now)
}

const enabledOf = (
  { modules, paid }: Stored,
  { defaultTier }: Asking['config'],
  now: string,
): ReadonlySet<Module> =>
  includesModules(effectiveTier(defaultTier, paid, now))
    ? new Set(modules.filter(({ enabled }) => enabled).map(({ module }) => module))
    : new Set()

/** What the gate asks. Callers of one workspace who come at the same time share a look, which proves their keys too. */
export async function standingOf(
  { db, config }: Asking,
  { accountId, actor }: Identity,
  now: string,
): Promise<Standing> {
  const isKey = actor.kind === 'apiKey'
  const stored = await findShared(db, accountId, isKey ? actor.id : '')
  assert(stored, 'a look answers everybody who asked')
  const keyHolds = !isKey || stored.keys.has(actor.id)
  return { keyHolds, enabled: enabledOf(stored, config, now), modules: stored.modules }
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

type Place = { key: string; workspaceId: string }

/** The place that a row names, where it is one at this partner. */
async function placeIn(
  { deps, scope }: Means,
  { id }: PartnerClient,
  row: ModuleAtGate | undefined,
): Promise<Place | null> {
  if (row?.partner !== id || row.partnerKey === null || row.partnerWorkspaceId === null) return null
  const key = await opened(deps.secrets, row.partnerKey, sealedAt(scope, row.module))
  return { key, workspaceId: row.partnerWorkspaceId }
}

type Secrets = Means['deps']['secrets']
type SealedAt = ReturnType<typeof sealedAt>
const MOST_OPEN = 1_000
const openOnes = new WeakMap<Secrets, Map<string, string>>()

/** The text that is sealed there. A workspace asks its partner many times with one key: those used last stay open. */
async function opened(secrets: Secrets, sealed: string, place: SealedAt): Promise<string> {
  const texts = openOnes.get(secrets) ?? new Map<string, string>()
  openOnes.set(secrets, texts)
  const name = `${place.accountId} ${place.row} ${sealed}`
  const text = texts.get(name) ?? (await secrets.open(sealed, place))
  texts.delete(name)
  texts.set(name, text)
  const [oldest] = texts.keys()
  if (texts.size > MOST_OPEN && oldest !== undefined) texts.delete(oldest)
  return text
}

const sealedAt = ({ accountId }: Scope, module: Module) =>
  ({ table: 'modules', column: 'partner_key', accountId, row: module }) as const

/** Asks for a place of the workspace. 502 PARTNER_ERROR where there is none: the module stays as it is (B-module-4). */
async function askForPlace(
  { deps, scope, partner }: Means,
  client: PartnerClient,
): Promise<Place & { stored: store.PlaceAtPartner }> {
  const { module } = client
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
  const partnerKey = deps.secrets.seal(apiKey, sealedAt(scope, module))
  return {
    key: apiKey,
    workspaceId,
    stored: { partner: client.id, partnerWorkspaceId: workspaceId, partnerKey },
  }
}

/** What is left to store of a first enable; null where the place is there, or the module does without a partner. */
async function provision(means: Means, module: Module): Promise<store.PlaceAtPartner | null> {
  const { deps, scope, partner } = means
  if (deps.partners[module] === null && WORKS_ALONE.includes(module)) return null
  const client = requirePartner(deps.partners, module)
  const known = await partner.read((db) => store.find(db, scope, module))
  return known?.partner === client.id ? null : (await askForPlace(means, client)).stored
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
  const atGate = await placeIn(means, client, rowOf(scope, module))
  if (atGate) return { client, ...atGate }
  // Somebody else may have asked for it since the gate looked.
  const row = await partner.read((db) => store.find(db, scope, module))
  const known = await placeIn(means, client, row)
  if (known) return { client, ...known }
  const { stored, ...place } = await askForPlace(means, client)
  await partner.inTx(async (tx) => {
    const { enabled } = await store.lock(tx, scope, module)
    await store.update(tx, scope, module, { enabled, place: stored })
  })
  return { client, ...place }
}

const rowOf = ({ modules }: Scope, module: Module) => modules?.find((row) => row.module === module)
