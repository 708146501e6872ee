import { command, dataDirArg, say } from './command.ts'

export const doctor = command({
  name: 'doctor',
  description: 'Check everything the service needs, and explain how to fix each fault',
  args: {
    ...dataDirArg,
    port: { type: 'string', valueHint: 'number', description: 'Port the service will use (PORT)' },
  },
  environment: [
    'host',
    'port',
    'publicUrl',
    'tlsCert',
    'tlsKey',
    'trustProxy',
    'dataDir',
    'databaseUrl',
    'listenUrl',
    'databasePoolSize',
    'secretsKey',
    'idpJwksUrl',
    'oidcIssuer',
  ],
  examples: [
    [
      'kasir doctor',
      'with a running service or without one; no record is changed, a left-behind PostgreSQL is stopped',
    ],
    ['kasir doctor && kasir serve', 'the exit code is 1 when a check fails'],
  ],
  run: async (args) => {
    const { examine } = await import('./doctor/examine.ts')
    const options = { DATA_DIR: args['data-dir'], PORT: args.port }
    let faults = 0
    let warnings = 0
    await examine(options, ({ name, state, found, remedy }) => {
      if (state === 'fault') faults++
      if (state === 'warn') warnings++
      say(`${state.padEnd(5)}  ${name.padEnd(16)}  ${found}`)
      if (remedy !== undefined) say(`${' '.repeat(25)}${remedy}`)
    })
    if (faults === 0)
      return say(warnings === 0 ? 'All checks passed.' : 'No faults; see the lines marked warn.')
    say(faults === 1 ? 'One fault.' : `${faults} faults.`)
    process.exitCode = 1
  },
})
