import { command, dataDirArg, settingsOf, UsageError } from './command.ts'

const MOST_DAYS = 90

export const demo = command({
  name: 'demo',
  description: 'Fill a workspace with a café, a shop and a pharmacy, and print how to sign in',
  args: {
    days: {
      type: 'string',
      valueHint: 'number',
      description: `Days of sales before today, 0 to ${MOST_DAYS}: 30 by default, 7 with --fast.`,
    },
    fast: { type: 'boolean', description: 'A week with a fifth of the visitors: ready in half a minute' },
    email: {
      type: 'string',
      valueHint: 'address',
      default: 'demo@kasir.example',
      description: 'E-mail address of the owner; another address creates another workspace.',
    },
    'new-key': { type: 'boolean', description: 'Create another API key for an existing demo' },
    'take-signup': {
      type: 'boolean',
      description: 'Also where SIGNUP=first and there is no workspace yet; no one can sign up after it',
    },
    ...dataDirArg,
  },
  environment: ['dataDir', 'databaseUrl', 'listenUrl', 'signup'],
  examples: [
    ['kasir demo', 'a month of sales; also while the service runs on the same data directory'],
    ['kasir demo --fast', 'a quiet week, in half a minute'],
    ['kasir demo --new-key', 'the demo exists and its API key was lost'],
  ],
  run: async (args) => {
    const asked = args.days ?? (args.fast ? '7' : '30')
    const days = Number(asked)
    if (!/^\d{1,2}$/.test(asked) || days > MOST_DAYS) {
      throw new UsageError(`--days must be a whole number from 0 to ${MOST_DAYS}`)
    }
    const config = settingsOf({ DATA_DIR: args['data-dir'] })
    const { runDemo } = await import('./run-demo.ts')
    await runDemo(config, {
      email: args.email.trim().toLowerCase(),
      days,
      share: args.fast ? 0.2 : 1,
      newKey: args['new-key'] ?? false,
      takeSignup: args['take-signup'] ?? false,
    })
  },
})
