import { systemClock } from '../../platform/clock.ts'
import { type Config, ConfigError } from '../../platform/config/config.ts'
import { certificate } from '../../platform/doctor/certificate.ts'
import { fault, ok, type Report } from '../../platform/doctor/finding.ts'
import {
  dataDirectory,
  interruptedRestore,
  network,
  nodeVersion,
  otherDisks,
  secretsKey,
} from '../../platform/doctor/machine.ts'
import { isOwnService } from '../address.ts'
import { settingsOf } from '../command.ts'
import { examineDatabase } from './database.ts'
import { port } from './port.ts'
import { providers } from './providers.ts'

/** Runs every check in the order of their dependencies. A check that cannot run reports that. */
export async function examine(options: Readonly<Record<string, string | undefined>>, report: Report) {
  report(nodeVersion())
  const config = configuration(options, report)
  if (config === null) return
  const home = await dataDirectory(config, options['DATA_DIR'] !== undefined)
  report(home)
  for (const finding of await otherDisks(config)) report(finding)
  for (const finding of await interruptedRestore(config)) report(finding)
  const secrets = await secretsKey(config)
  report(secrets.finding)
  report(await port(config, await isOwnService(config)))
  for (const finding of network(config)) report(finding)
  for (const finding of certificate(config, systemClock.ms())) report(finding)
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
          'Correct it in the environment; docs/configuration.md lists every setting.',
        ),
      )
    }
    return null
  }
}
