import { command, dataDirArg, say, sayAside } from './command.ts'
import { inInstallation } from './operator.ts'

/** The most differences that are listed. */
const LINES = 100

export const rebuildRollupsCommand = command({
  name: 'rebuild-rollups',
  description: 'Compare the stored report figures with the sales, and rebuild wrong ones',
  args: dataDirArg,
  environment: ['dataDir', 'databaseUrl', 'listenUrl'],
  examples: [['kasir rebuild-rollups', 'with or without a running service']],
  run: async (options) => {
    const { rebuildRollups } = await import('../areas/insight/reports/index.ts')
    let told = 0
    const { outlets, rebuilt, differences, uncompared } = await inInstallation(options, say, (deps) =>
      rebuildRollups(deps, ({ outletId, key, differences: by }) => {
        told += 1
        if (told <= LINES) say(`${outletId}  ${key}  too high by ${by}`)
      }),
    )
    if (told > LINES) say(`and ${told - LINES} more`)
    say(
      differences.length === 0
        ? `The report figures of ${outlets} outlets match their sales.`
        : `${differences.length} figures of ${rebuilt} outlets differed from their sales and were rebuilt.`,
    )
    for (const { accountId, outletId, reason } of uncompared) {
      const part = outletId === undefined ? '' : `the outlet ${outletId} of `
      sayAside(`The report figures of ${part}the workspace ${accountId} could not be compared: ${reason}`)
    }
    if (uncompared.length > 0) process.exitCode = 1
  },
})
