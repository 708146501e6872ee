import { command, dataDirArg, say, settingsOf, UsageError } from './command.ts'

export const shard = command({
  name: 'shard',
  description:
    'Distribute the database over the workers of a Citus cluster, place new tables in it, or move shards to new workers',
  args: {
    ...dataDirArg,
    shards: {
      type: 'string',
      valueHint: 'number',
      description: 'Number of shards, which is also the most workers the cluster can ever use (32)',
    },
    rebalance: {
      type: 'boolean',
      description: 'Move shards until every worker has its share, while services run',
    },
    stop: {
      type: 'boolean',
      description: 'With --rebalance: stop a running move; shards that moved stay where they are',
    },
  },
  environment: ['dataDir', 'databaseUrl', 'listenUrl', 'allowUnsafeDatabase'],
  examples: [
    ['DATABASE_URL=postgres://kasir@coordinator/kasir kasir shard', 'once, with every service stopped'],
    [
      'kasir shard',
      'again: continues an interrupted run, and changes nothing if every table is in its place',
    ],
    [
      'kasir shard --rebalance',
      'after citus_add_node: moves shards to the new worker; again: shows the progress of a running move',
    ],
  ],
  run: async (args) => {
    const config = settingsOf({ DATA_DIR: args['data-dir'] })
    const { shardDatabase, MOST_SHARDS } = await import('../platform/sharding/place.ts')
    const shards = args.shards === undefined ? undefined : Number(args.shards)
    if (shards !== undefined && !(Number.isInteger(shards) && shards >= 1 && shards <= MOST_SHARDS))
      throw new UsageError(`--shards must be a whole number from 1 to ${MOST_SHARDS}`)
    if (config.databaseUrl === null)
      throw new UsageError(
        'The embedded database is one server: set DATABASE_URL to the coordinator of a cluster',
      )
    const url = config.listenUrl ?? config.databaseUrl
    if (args.stop === true && args.rebalance !== true) throw new UsageError('--stop needs --rebalance')
    if (args.rebalance === true) {
      if (shards !== undefined) throw new UsageError('--shards cannot be changed by --rebalance')
      const { requireSessions } = await import('../platform/db/pooler.ts')
      await requireSessions(url, config.listenUrl === null ? 'DATABASE_URL' : 'LISTEN_URL')
      const { rebalanceShards, stopRebalancing } = await import('./shard-rebalance.ts')
      return args.stop === true ? stopRebalancing(url) : rebalanceShards(url)
    }
    const { prepareSchema } = await import('../main.ts')
    await prepareSchema(config, url, say)
    const { workers, placed } = await shardDatabase(url, {
      ...(shards === undefined ? {} : { shards }),
      onTable: (table) => say(`Placing ${table}`),
    })
    say(
      placed.length === 0
        ? `Every table is in its place, on ${workers.length} workers; nothing to do.`
        : `Placed ${placed.length} tables over ${workers.length} workers.`,
    )
  },
})
