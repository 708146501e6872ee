import { exposures } from '../platform/exposure.ts'
import { callableAddress } from './address.ts'
import { command, dataDirArg, say, settingsOf } from './command.ts'

const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`

export const operatorLink = command({
  name: 'operator-link',
  description: 'Print an address that opens the operator page once: health, jobs, backups, workspaces',
  args: {
    revoke: { type: 'boolean', description: 'End all operator sessions and revoke unused links' },
    ...dataDirArg,
  },
  environment: ['dataDir', 'databaseUrl', 'listenUrl', 'secretsKey', 'publicUrl', 'host', 'port'],
  examples: [
    ['kasir operator-link', 'beside a running service; the address works once, for 15 minutes'],
    ['kasir operator-link --revoke', 'ends all sessions of operators and all links that were not used'],
  ],
  run: async ({ revoke = false, ...options }) => {
    const config = settingsOf({ DATA_DIR: options['data-dir'] })
    const { besideRunning } = await import('./operator.ts')
    const { LINK_MINUTES, makeOperatorLink, revokeOperators } = await import('../platform/auth/operator.ts')
    if (revoke) {
      const { sessions, links } = await besideRunning(config, ({ db, clock }) =>
        revokeOperators(db, clock.now()),
      )
      return say(
        `Ended ${counted(sessions, 'operator session')} and revoked ${counted(links, 'unused link')}.`,
      )
    }
    const token = await besideRunning(config, ({ db, clock }) => makeOperatorLink(db, clock.now()))
    const address = await callableAddress(config, true)
    // After the #, so that the token stays out of the logs of every server on the way.
    say(`${address}/operator#${token}`)
    say(`Open it within ${LINK_MINUTES} minutes, in one browser. Do not share it: it shows all workspaces.`)
    for (const { found, remedy } of exposures(config)) say(`Warning: ${found}. ${remedy}`)
  },
})
