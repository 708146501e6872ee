import { command, dataDirArg, say } from './command.ts'
import { inInstallation } from './operator.ts'

/** More lines than this tell a person nothing more. */
const LINES = 100

export const rebuildRollupsCommand = command({
  name: 'rebuild-rollups',
  description: 'Compare the figures that reports keep with the sales, and make wrong ones anew',
  args: dataDirArg,
  environment: ['dataDir', 'databaseUrl', 'listenUrl'],
  examples: [['kasir rebuild-rollups', 'while the service sells or not']],
  run: async (options) => {
    const { rebuildRollups } = await import('../areas/insight/reports/index.ts')
    let told = 0
    const { outlets, rebuilt, differences } = await inInstallation(options, say, (deps) =>
      rebuildRollups(deps, ({ outletId, key, differences: by }) => {
        told += 1
        if (told <= LINES) say(`${outletId}  ${key}  too high by ${by}`)
      }),
    )
    if (told > LINES) say(`and ${told - LINES} more`)
    say(
      differences.length === 0
        ? `The figures of ${outlets} outlets are those of their sales.`
        : `${differences.length} figures of ${rebuilt} outlets differed from their sales and were made anew.`,
    )
  },
})
