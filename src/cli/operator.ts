import path from 'node:path'
import { newId } from '../core/ids.ts'
import { makeDeps, prepareDatabase } from '../main.ts'
import { authenticate, type Identity } from '../platform/auth/authenticate.ts'
import { foundAccountId } from '../platform/auth/tokens.ts'
import { systemClock } from '../platform/clock.ts'
import type { Config } from '../platform/config.ts'
import type { Deps } from '../platform/deps.ts'
import { makeLog } from '../platform/log.ts'
import type { Scope } from '../platform/scope.ts'
import { say, settingsOf, UsageError } from './command.ts'
import { withDatabase } from './database.ts'

/** Which workspace a command is about, and where its database is. */
export const workspaceArgs = {
  'api-key': { type: 'string', valueHint: 'key', description: 'A key of the workspace (or KASIR_API_KEY)' },
  email: { type: 'string', valueHint: 'address', description: 'The e-mail of a member, instead of a key' },
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

/** Runs `work` on the database itself, in the name of a member or a key of one workspace. */
export async function inWorkspace<T>(
  options: WorkspaceOptions,
  work: (deps: Deps, scope: Scope) => Promise<T>,
): Promise<T> {
  const apiKey = options['api-key'] ?? process.env['KASIR_API_KEY']
  const { email } = options
  if (apiKey === undefined && email === undefined) {
    throw new UsageError('Name the workspace: --api-key, or --email of one of its members')
  }
  const config: Config = settingsOf({ DATA_DIR: options['data-dir'] })
  return withDatabase({ ...config, dataDir: path.resolve(config.dataDir) }, say, async ({ url }) => {
    await prepareDatabase(config, url)
    const deps = await makeDeps({ config, url, log: makeLog('fatal') })
    try {
      const now = systemClock.now()
      const identity = email === undefined ? await byKey(deps, apiKey ?? '', now) : await byEmail(deps, email)
      const scope: Scope = {
        ...identity,
        tier: config.defaultTier,
        requestId: newId('request'),
        now,
        boards: new Set(),
      }
      return await work(deps, scope)
    } finally {
      await deps.close()
    }
  })
}

const byKey = (deps: Deps, key: string, now: string): Promise<Identity> =>
  authenticate(deps, { headers: { authorization: `Bearer ${key}` }, cookies: {}, method: 'GET' }, now).catch(
    () => {
      throw new UsageError('This API key is not valid in this database')
    },
  )

/** Whoever may open the database may act for its members; no password is asked on the machine itself. */
async function byEmail(deps: Deps, email: string): Promise<Identity> {
  const { findByEmail } = await import('../areas/workspace/members/index.ts')
  const member = await findByEmail(deps.db, email)
  if (!member) throw new UsageError(`Nobody signs in as ${email} in this database`)
  const { accountId, id, name, role } = member
  return { accountId: foundAccountId(accountId), actor: { kind: 'member', id, name, role, readOnly: false } }
}
