import { newId } from '../core/ids.ts'
import { foundAccountId } from '../platform/auth/tokens.ts'
import { inTx } from '../platform/db/open.ts'
import type { Deps } from '../platform/deps.ts'
import { type Actor, scopeFor } from '../platform/scope.ts'
import { command, dataDirArg, say, UsageError } from './command.ts'
import { inInstallation } from './operator.ts'

export const resetSecondFactorCommand = command({
  name: 'reset-second-factor',
  description: 'Let a member who lost phone and recovery codes sign in with the password alone',
  args: {
    email: { type: 'positional', required: true, description: 'The address the member signs in with' },
    ...dataDirArg,
  },
  environment: ['dataDir', 'databaseUrl', 'listenUrl', 'secretsKey'],
  examples: [
    [
      'kasir reset-second-factor sari@example.com',
      'with or without a running service; first verify who asks',
    ],
  ],
  run: async ({ email, ...options }) => inInstallation(options, say, (deps) => reset(deps, email)),
})

/** No member signed in. Anyone who can open the database counts as the operator. */
const OPERATOR: Actor = {
  kind: 'service',
  id: 'operator',
  name: 'the operator of this installation',
  role: 'OWNER',
  readOnly: false,
}

async function reset(deps: Deps, email: string) {
  const [{ findByEmail }, { resetSecondFactor }] = await Promise.all([
    import('../areas/workspace/members/index.ts'),
    import('../areas/workspace/auth/index.ts'),
  ])
  const found = await findByEmail(deps.db, email)
  if (!found) throw new UsageError(`No member signs in as ${email} in this database`)
  const scope = scopeFor(
    { accountId: foundAccountId(found.accountId), actor: OPERATOR },
    {
      defaultTier: deps.config.defaultTier,
      requestId: newId('request'),
      address: null,
      now: deps.clock.now(),
    },
  )
  const member = await inTx(deps.db, (tx) => resetSecondFactor(deps, tx, scope, found.id))
  say(`${member.name} (${member.email}) signs in with the password alone from now on.`)
  say('All their browsers are signed out, and a mail informs them. They can set up a second factor again.')
}
