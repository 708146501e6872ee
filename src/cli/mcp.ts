import { once } from 'node:events'
import { newId } from '../core/ids.ts'
import { isRun, mintDelegation } from '../platform/auth/delegation.ts'
import { foundAccountId } from '../platform/auth/tokens.ts'
import { systemClock } from '../platform/clock.ts'
import { DELEGATION_MODES } from '../platform/scope.ts'
import { callableAddress } from './address.ts'
import { command, dataDirArg, sayAside, settingsOf, UsageError } from './command.ts'
import { ENDING_SIGNALS } from './signals.ts'

const LAST_ANSWER_MS = 1_000

export const mcp = command({
  name: 'mcp',
  description: 'Let an assistant read the data of a shop and change its catalogue on behalf of a member',
  args: {
    member: { type: 'string', required: true, valueHint: 'usr_…', description: 'The member it acts for' },
    mode: {
      type: 'string',
      default: 'review',
      valueHint: 'act|review',
      description: 'act may change prices, products, suppliers and tables, review only reads.',
    },
    run: {
      type: 'string',
      valueHint: 'id',
      description: "The run in the assistant's own records; audit events name it",
    },
    url: {
      type: 'string',
      valueHint: 'address',
      description: 'Address of the service. Default: the one on this data directory',
    },
    ...dataDirArg,
  },
  environment: ['dataDir', 'databaseUrl', 'listenUrl', 'secretsKey', 'publicUrl', 'host', 'port'],
  examples: [
    ['kasir mcp --member usr_01…', 'as a server of the Model Context Protocol on standard input and output'],
    ['kasir mcp --member usr_01… --mode act', 'it may change the catalogue, suppliers and tables as well'],
  ],
  run: async ({ member: memberId, mode: said, run: named, url, ...options }) => {
    const mode = DELEGATION_MODES.find((one) => one === said)
    if (mode === undefined) throw new UsageError(`--mode is ${DELEGATION_MODES.join(' or ')}`)
    const run = named ?? `mcp-${newId('delegation').slice('dlg_'.length)}`
    if (!isRun(run)) throw new UsageError('--run is 1 to 200 characters on one line')
    const config = settingsOf({ DATA_DIR: options['data-dir'] })
    const address = url ?? (await callableAddress(config, true))
    const { SessionEnd, openSession } = await import('./mcp/session.ts')
    const { besideRunning } = await import('./operator.ts')
    const { findMember } = await import('../areas/workspace/members/index.ts')
    const mint = () =>
      besideRunning(config, async (deps) => {
        const member = await findMember(deps.db, memberId)
        if (!member) throw new SessionEnd(`There is no member ${memberId} in this database`)
        const accountId = foundAccountId(member.accountId)
        return mintDelegation(deps, { accountId, memberId, mode, run }, deps.clock.now())
      })
    const stop = new AbortController()
    // The reply with the reason is sent first.
    const onEnd = (end: Error) => void setTimeout(() => stop.abort(end), LAST_ANSWER_MS)
    const opening = { address, clock: systemClock, mint, onEnd }
    const session = await openSession(opening)
    const { member, business } = session
    const { mcpServer } = await import('./mcp/server.ts')
    const { serveStdio } = await import('@modelcontextprotocol/server/stdio')
    const shop = { ...session, clock: systemClock }
    const serving = serveStdio(() => mcpServer(shop, mode), { onerror: ({ message }) => sayAside(message) })
    sayAside(`${business}, as ${member.name} (${member.role}), ${mode}; audit events name the run ${run}`)
    for (const signal of ENDING_SIGNALS) process.once(signal, () => stop.abort(null))
    await once(process.stdin, 'close', { signal: stop.signal }).catch(() => {})
    await serving.close()
    process.stdin.destroy()
    if (stop.signal.reason instanceof SessionEnd) throw stop.signal.reason
  },
})
