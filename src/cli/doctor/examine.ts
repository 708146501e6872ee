import { type Config, ConfigError } from '../../platform/config.ts'
import { settingsOf } from '../command.ts'
import { examineDatabase } from './database.ts'
import { fault, ok, type Report } from './finding.ts'
import { dataDirectory, network, nodeVersion, port, secretsKey } from './machine.ts'
import { providers } from './providers.ts'

/** Every check in the order in which one depends on another; a check that cannot be made says so. */
export async function examine(options: Readonly<Record<string, string | undefined>>, report: Report) {
  report(nodeVersion())
  const config = configuration(options, report)
  if (config === null) return
  const home = await dataDirectory(config)
  report(home)
  const secrets = await secretsKey(config)
  report(secrets.finding)
  report(await port(config))
  for (const finding of network(config)) report(finding)
  for (const finding of await providers(config)) report(finding)
  if (home.state === 'fault' && config.databaseUrl === null) return
  await examineDatabase(config, report, secrets.key)
}

function configuration(options: Readonly<Record<string, string | undefined>>, report: Report): Config | null {
  try {
    const config = settingsOf(options)
    report(ok('configuration', 'all settings are valid'))
    return config
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    for (const line of error.message.split('\n')) {
      report(
        fault(
          'configuration',
          line,
          'Correct it in the environment; docs/configuration.md has every setting.',
        ),
      )
    }
    return null
  }
}
