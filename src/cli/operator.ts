import path from 'node:path'
import { newId } from '../core/ids.ts'
import { makeDeps, prepareDatabase } from '../main.ts'
import { authenticate } from '../platform/auth/authenticate.ts'
import { foundAccountId } from '../platform/auth/tokens.ts'
import { systemClock } from '../platform/clock.ts'
import type { Config } from '../platform/config/config.ts'
import { findRunning } from '../platform/db/embedded.ts'
import type { Deps } from '../platform/deps.ts'
import { makeLog } from '../platform/log/log.ts'
import { type Actor, type ActsFor, type Role, type Scope, scopeFor } from '../platform/scope.ts'
import { say, settingsOf, UsageError } from './command.ts'
import { withDatabase } from './database.ts'

/** The options that name a workspace and its database. */
export const workspaceArgs = {
  'api-key': { type: 'string', valueHint: 'key', description: 'A key of the workspace (or KASIR_API_KEY)' },
  email: {
    type: 'string',
    valueHint: 'address',
    description:
      'The e-mail of a member, instead of a key; neither is needed when there is only one workspace',
  },
  'data-dir': {
    type: 'string',
    valueHint: 'path',
    description: 'Where the embedded database and secrets live (DATA_DIR)',
  },
} as const

export type WorkspaceOptions = {
  'api-key'?: string | undefined
  email?: string | undefined
  'data-dir'?: string | undefined
}

/** Runs `work` directly on the database, on behalf of a member or an API key of one workspace. */
export async function inWorkspace<T>(
  options: WorkspaceOptions,
  work: (deps: Deps, scope: Scope) => Promise<T>,
): Promise<T> {
  const apiKey = options['api-key'] ?? process.env['KASIR_API_KEY']
  const { email } = options
  return inInstallation(options, say, async (deps) => {
    const now = systemClock.now()
    const identity = await findActor(deps, { apiKey, email }, now)
    const scope = scopeFor(identity, {
      defaultTier: deps.config.defaultTier,
      requestId: newId('request'),
      address: null,
      now,
    })
    return work(deps, scope)
  })
}

/** No member signed in. Anyone who can open the database counts as the operator. */
const OPERATOR: Actor = {
  kind: 'service',
  id: 'operator',
  name: 'the operator of this installation',
  role: 'OWNER',
  readOnly: false,
}

/** The scope of the operator in the workspace of a member. */
export async function asOperator(deps: Deps, email: string, now: string) {
  const { findByEmail } = await import('../areas/workspace/members/index.ts')
  const found = await findByEmail(deps.db, email)
  if (!found) throw new UsageError(`No member signs in as ${email} in this database`)
  const scope = scopeFor(
    { accountId: foundAccountId(found.accountId), actor: OPERATOR },
    { defaultTier: deps.config.defaultTier, requestId: newId('request'), address: null, now },
  )
  return { scope, memberId: found.id }
}

/** Runs `work` with the database and the key of the installation. `tell` receives progress lines. */
export async function inInstallation<T>(
  options: Pick<WorkspaceOptions, 'data-dir'>,
  tell: (line: string) => void,
  work: (deps: Deps) => Promise<T>,
): Promise<T> {
  const config: Config = settingsOf({ DATA_DIR: options['data-dir'] })
  return withDatabase({ ...config, dataDir: path.resolve(config.dataDir) }, tell, async ({ url }) => {
    await prepareDatabase(config, url)
    const deps = await makeDeps({ config, url, log: makeLog('fatal') })
    try {
      return await work(deps)
    } finally {
      await deps.close()
    }
  })
}

/**
 * Runs `work` with the database and the key of an installation whose service is running. It neither starts the database
 * nor migrates it, because both belong to the running service.
 */
export async function besideRunning<T>(config: Config, work: (deps: Deps) => Promise<T>): Promise<T> {
  const dataDir = path.resolve(config.dataDir)
  const url = config.listenUrl ?? config.databaseUrl ?? (await findRunning(dataDir))
  if (url === null) throw new UsageError(`No service is running on ${dataDir}: start it with kasir serve`)
  const deps = await makeDeps({ config: { ...config, dataDir }, url, log: makeLog('fatal') })
  try {
    return await work(deps)
  } finally {
    await deps.close()
  }
}

type OperatorOptions = { apiKey: string | undefined; email: string | undefined }

async function findActor(deps: Deps, { apiKey, email }: OperatorOptions, now: string): Promise<ActsFor> {
  if (email !== undefined) return findActorByEmail(deps, email)
  if (apiKey !== undefined) return findActorByKey(deps, apiKey, now)
  return findDefaultActor(deps)
}

/** Most installations serve one shop, so a single workspace needs no name. */
async function findDefaultActor(deps: Deps): Promise<ActsFor> {
  const { findOnlyOwner } = await import('../areas/workspace/members/index.ts')
  const { workspaces, owner } = await findOnlyOwner(deps.db)
  if (workspaces === 0) throw new UsageError('This database has no workspace yet: sign up, or run kasir demo')
  if (!owner) {
    throw new UsageError(
      'There are several workspaces: choose one with the --email of a member, or with --api-key',
    )
  }
  return identityOf(owner)
}

const findActorByKey = (deps: Deps, key: string, now: string): Promise<ActsFor> =>
  authenticate(deps, { headers: { authorization: `Bearer ${key}` }, cookies: {}, method: 'GET' }, now).catch(
    () => {
      throw new UsageError('This API key is not valid in this database')
    },
  )

/** Anyone who can open the database may act for its members; no password is asked on the machine itself. */
async function findActorByEmail(deps: Deps, email: string): Promise<ActsFor> {
  const { findByEmail } = await import('../areas/workspace/members/index.ts')
  const member = await findByEmail(deps.db, email)
  if (!member) throw new UsageError(`No member signs in as ${email} in this database`)
  return identityOf(member)
}

type MemberAccount = { accountId: string; id: string; name: string; role: Role }

function identityOf({ accountId, id, name, role }: MemberAccount): ActsFor {
  return { accountId: foundAccountId(accountId), actor: { kind: 'member', id, name, role, readOnly: false } }
}
