import { inTx } from '../platform/db/open.ts'
import type { Deps } from '../platform/deps.ts'
import { command, dataDirArg, say } from './command.ts'
import { asOperator, inInstallation } from './operator.ts'

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

async function reset(deps: Deps, email: string) {
  const { resetSecondFactor } = await import('../areas/workspace/auth/index.ts')
  const { scope, memberId } = await asOperator(deps, email, deps.clock.now())
  const member = await inTx(deps.db, (tx) => resetSecondFactor(deps, tx, scope, memberId))
  say(`${member.name} (${member.email}) signs in with the password alone from now on.`)
  say('All their browsers are signed out, and a mail informs them. They can set up a second factor again.')
}
