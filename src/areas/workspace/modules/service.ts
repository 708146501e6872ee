import { LRUCache } from 'lru-cache'
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
import { emit } from '../../../platform/events/outbox.ts'
import type { CallerStanding } from '../../../platform/http/gate.ts'
import type { Partner } from '../../../platform/http/partner.ts'
import { type PartnerClient, pathOf } from '../../../platform/partners/client.ts'
import { keyedFor } from '../../../platform/partners/forward.ts'
import { requirePartner } from '../../../platform/partners/partners.ts'
import { effectiveTierOf } from '../../../platform/plans.ts'
import type { ModuleAtGate, Scope } from '../../../platform/scope.ts'
import { NotOpenedError } from '../../../platform/secrets/secrets.ts'
import { getSettings } from '../settings/index.ts'
import { moduleChanged } from './events.ts'
import type { ModuleState, ModuleToggle } from './schema.ts'
import { findShared, findStanding, type WorkspaceModules } from './statements.ts'
import * as store from './store.ts'

/** Lists all modules, including those that the workspace has never used. */
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

type ModuleReader = { db: Db; config: Pick<Deps['config'], 'defaultTier'> }

/** Returns the modules that are on and included in the plan. */
export async function modulesOf(
  { db, config }: ModuleReader,
  { accountId }: Pick<Identity, 'accountId'>,
  now: string,
): Promise<ReadonlySet<Module>> {
  return enabledOf(await findStanding(db, accountId), config, now)
}

const enabledOf = (
  { modules, paid }: WorkspaceModules,
  { defaultTier }: ModuleReader['config'],
  now: string,
): ReadonlySet<Module> =>
  includesModules(effectiveTier(defaultTier, paid, now))
    ? new Set(modules.filter(({ enabled }) => enabled).map(({ module }) => module))
    : new Set()

/**
 * Returns the modules, plan and key validity that the gate checks. Concurrent callers of one workspace share a query,
 * which also proves their API keys.
 */
export async function standingOf(
  { db, config }: ModuleReader,
  { accountId, actor }: Identity,
  now: string,
): Promise<CallerStanding> {
  const isKey = actor.kind === 'apiKey'
  const stored = await findShared(db, accountId, isKey ? actor.id : '')
  assert(stored, 'a shared query answers every caller')
  const role = isKey ? (stored.keys.get(actor.id) ?? null) : actor.role
  return { role, enabled: enabledOf(stored, config, now), modules: stored.modules }
}

/** Throws 422 UNKNOWN_MODULE before any other check of the request (B-module-3). */
export function requireModule(name: string): Module {
  const known = MODULES.find((module) => module === name)
  if (known) return known
  const near = nearest(name, MODULES)
  const hint = near === null ? `there are ${MODULES.join(', ')}` : `did you mean ${near}?`
  throw new ApiError('UNKNOWN_MODULE', `There is no module "${name}"; ${hint}`, { param: 'module' })
}

async function requirePlan(db: Db, scope: Scope) {
  if (includesModules(await effectiveTierOf(db, scope))) return
  throw new ApiError('PLAN_UPGRADE_REQUIRED', 'Only paid plans include modules. Upgrade under billing first')
}

/** Modules that work without a partner, except for the data that only a partner has. */
const WORKS_ALONE: readonly Module[] = ['marketing']

const Provisioned = Type.Object({
  workspaceId: Type.String({ minLength: 1, maxLength: 200 }),
  apiKey: Type.String({ minLength: 1, maxLength: 500, pattern: '^[\\x21-\\x7e]+$' }),
})

/** The context for calls to a partner on behalf of a workspace. */
export type ModuleContext = { deps: Pick<Deps, 'partners' | 'secrets'>; scope: Scope; partner: Partner }

type PartnerAccount = { key: string; workspaceId: string }

/**
 * Returns the account in a row if it belongs to this partner, else null. A key that was sealed with a lost key of the
 * installation is no account: the partner gives the workspace a new key for the account that it has.
 */
async function findAccountIn(
  { deps, scope }: ModuleContext,
  { id }: PartnerClient,
  row: ModuleAtGate | undefined,
): Promise<PartnerAccount | null> {
  if (row?.partner !== id || row.partnerKey === null || row.partnerWorkspaceId === null) return null
  const key = await opened(deps.secrets, row.partnerKey, sealedAt(scope, row.module)).catch(
    (error: unknown) => {
      if (error instanceof NotOpenedError) return null
      throw error
    },
  )
  return key === null ? null : { key, workspaceId: row.partnerWorkspaceId }
}

type Secrets = ModuleContext['deps']['secrets']
type SealedAt = ReturnType<typeof sealedAt>
const MOST_OPEN = 1_000
const openOnes = new WeakMap<Secrets, LRUCache<string, string>>()

/**
 * Decrypts a stored key. Recently used keys stay decrypted in memory, because a workspace calls its partner often
 * with one key.
 */
async function opened(secrets: Secrets, sealed: string, place: SealedAt): Promise<string> {
  const texts = openOnes.get(secrets) ?? new LRUCache<string, string>({ max: MOST_OPEN })
  openOnes.set(secrets, texts)
  const name = `${place.accountId} ${place.row} ${sealed}`
  const text = texts.get(name) ?? (await secrets.open(sealed, place))
  texts.set(name, text)
  return text
}

const sealedAt = ({ accountId }: Scope, module: Module) =>
  ({ table: 'modules', column: 'partner_key', accountId, row: module }) as const

/**
 * Creates an account of the workspace at the partner. Throws 502 PARTNER_ERROR if the partner fails or refuses; the
 * module does not change (B-module-4).
 */
async function askForPlace(
  { deps, scope, partner }: ModuleContext,
  client: PartnerClient,
): Promise<PartnerAccount & { stored: store.PlaceAtPartner }> {
  const { module } = client
  const { businessName } = await partner.read((db) => getSettings(db, scope))
  const body = { externalId: scope.accountId, name: businessName }
  const { data } = await partner
    .call((forward) =>
      client.ask(
        { method: 'POST', path: pathOf('v1', 'workspaces'), key: client.platformKey, body },
        keyedFor(scope.accountId, forward, body),
      ),
    )
    .catch((error: unknown) => rethrowRefusal(error, module))
  if (!Check(Provisioned, data)) {
    throw new ApiError(
      'PARTNER_ERROR',
      `The ${module} partner created no account for the workspace; try again later`,
    )
  }
  const { workspaceId, apiKey } = data as Static<typeof Provisioned>
  const partnerKey = deps.secrets.seal(apiKey, sealedAt(scope, module))
  return {
    key: apiKey,
    workspaceId,
    stored: { partner: client.id, partnerWorkspaceId: workspaceId, partnerKey },
  }
}

/** Rethrows a refusal of the account as 502: its status and field would seem to be about the caller's request. */
function rethrowRefusal(error: unknown, module: Module): never {
  if (!(error instanceof ApiError) || error.status >= 500 || error.code === 'RATE_LIMITED') throw error
  throw new ApiError(
    'PARTNER_ERROR',
    `The ${module} partner refuses an account for the workspace: ${error.message}`,
    { cause: error },
  )
}

/**
 * Creates the account that a first activation needs. Returns null if the account exists already, or if the module
 * works without a partner.
 */
async function provision(means: ModuleContext, module: Module): Promise<store.PlaceAtPartner | null> {
  const { deps, scope, partner } = means
  if (deps.partners[module] === null && WORKS_ALONE.includes(module)) return null
  const client = requirePartner(deps.partners, module)
  const known = await partner.read((db) => store.find(db, scope, module))
  return known?.partner === client.id ? null : (await askForPlace(means, client)).stored
}

/**
 * Switches a module on or off and returns the remaining write. Creates the account at the partner first if it is
 * missing. Switching off is always allowed; switching on is 402 on the free plan.
 */
export async function toggleModule(
  means: ModuleContext,
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
 * Returns the partner of a module and the workspace's key there, for a route behind the gate of that module. Creates
 * a missing account: the module was switched on before the partner was configured, or the operator has configured
 * another partner.
 */
export async function findPartnerAccount(
  means: ModuleContext,
  module: Module,
): Promise<{ client: PartnerClient; key: string; workspaceId: string }> {
  const { deps, scope, partner } = means
  const client = requirePartner(deps.partners, module)
  const atGate = await findAccountIn(means, client, rowOf(scope, module))
  if (atGate) return { client, ...atGate }
  // A concurrent request can have created the account since the check at the gate.
  const row = await partner.read((db) => store.find(db, scope, module))
  const known = await findAccountIn(means, client, row)
  if (known) return { client, ...known }
  const { stored, ...place } = await askForPlace(means, client)
  await partner.inTx(async (tx) => {
    const { enabled } = await store.lock(tx, scope, module)
    await store.update(tx, scope, module, { enabled, place: stored })
  })
  return { client, ...place }
}

const rowOf = ({ modules }: Scope, module: Module) => modules?.find((row) => row.module === module)
