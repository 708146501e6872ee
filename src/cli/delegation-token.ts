import { isRun, MOST_MINUTES, mintDelegation } from '../platform/auth/delegation.ts'
import { foundAccountId } from '../platform/auth/tokens.ts'
import { DELEGATION_MODES } from '../platform/scope.ts'
import { command, dataDirArg, say, sayAside, UsageError } from './command.ts'
import { inInstallation } from './operator.ts'

export const delegationToken = command({
  name: 'delegation-token',
  description: 'Print a token for one run of an assistant that acts for a member',
  args: {
    member: { type: 'string', required: true, valueHint: 'usr_…', description: 'The member it acts for' },
    mode: {
      type: 'string',
      required: true,
      valueHint: 'act|review',
      description: 'act may change configuration, review only reads',
    },
    run: {
      type: 'string',
      valueHint: 'id',
      description: "The run in the assistant's own records; audit events name it",
    },
    minutes: {
      type: 'string',
      default: String(MOST_MINUTES),
      valueHint: 'number',
      description: `How long it lasts, 1 to ${MOST_MINUTES}.`,
    },
    ...dataDirArg,
  },
  environment: ['dataDir', 'databaseUrl', 'listenUrl', 'secretsKey'],
  examples: [
    [
      'TOKEN=$(kasir delegation-token --member usr_01… --mode review --run 42)',
      'then: curl -H "Authorization: Delegation $TOKEN" …',
    ],
  ],
  run: async ({ member: memberId, mode: said, run, minutes: text, ...options }) => {
    const mode = DELEGATION_MODES.find((one) => one === said)
    if (mode === undefined) throw new UsageError(`--mode is ${DELEGATION_MODES.join(' or ')}`)
    if (run !== undefined && !isRun(run)) throw new UsageError('--run is 1 to 200 characters on one line')
    const minutes = Number(text)
    if (!/^\d+$/.test(text) || minutes < 1 || minutes > MOST_MINUTES) {
      throw new UsageError(`--minutes is a whole number from 1 to ${MOST_MINUTES}`)
    }
    // Only the token goes to stdout: the program that starts the assistant reads it.
    const { token, id, expiresAt } = await inInstallation(options, sayAside, async (deps) => {
      const { findMember } = await import('../areas/workspace/members/index.ts')
      const member = await findMember(deps.db, memberId)
      if (!member) throw new UsageError(`There is no member ${memberId} in this database`)
      const accountId = foundAccountId(member.accountId)
      return mintDelegation(deps, { accountId, memberId, mode, run: run ?? null, minutes }, deps.clock.now())
    })
    sayAside(`${id}, until ${expiresAt}`)
    say(token)
  },
})
