import { command, dataDirArg, say, settingsOf } from './command.ts'

export const migrate = command({
  name: 'migrate',
  description: 'Bring the database schema up to date, and list the applied migrations',
  args: dataDirArg,
  environment: ['dataDir', 'databaseUrl', 'listenUrl', 'allowUnsafeDatabase'],
  examples: [
    ['kasir migrate', 'the embedded database under ./data'],
    [
      'DATABASE_URL=postgres://kasir@db/kasir kasir migrate',
      'a PostgreSQL of your own, before a new version',
    ],
  ],
  run: async (args) => {
    const config = settingsOf({ DATA_DIR: args['data-dir'] })
    const { prepareDatabase } = await import('../main.ts')
    const { withDatabase } = await import('./database.ts')
    await withDatabase(config, say, async ({ url }) => {
      const applied = await prepareDatabase(config, url, say)
      for (const name of applied) say(`Applied ${name}`)
      say(applied.length === 0 ? 'The schema was up to date; nothing to do.' : 'The schema is up to date.')
    })
  },
})
