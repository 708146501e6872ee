// Runs on plain Node before anything is installed: only built-in modules here, and syntax old Nodes parse.
import { npmCommand, output } from './run.mjs'

const PATIENCE_MS = 10_000

/** npm's codes for a registry that it cannot reach; with any other code something has answered. */
const UNREACHABLE =
  /^(?:E(?:CONN[A-Z]+|AI_AGAIN|HOSTUNREACH|NETUNREACH|NOTFOUND|TIMEDOUT)|ERR_(?:SOCKET|SSL|TLS)_.+|EPROTO|[A-Z_]*CERT[A-Z_]*|UNABLE_TO_[A-Z_]+)$/

/**
 * A sentence about why npm cannot reach its registry, or null if it can. npm itself tries again for minutes before it
 * says so.
 */
export async function registryFault(options = {}, patienceMs = PATIENCE_MS) {
  const [command, ...before] = npmCommand()
  const args = ['ping', '--json', '--loglevel=silent', '--fetch-retries=0', `--fetch-timeout=${patienceMs}`]
  const { text, isLate } = await output(command, [...before, ...args], {
    ...options,
    patienceMs: patienceMs + 2_000,
  })
  const code = isLate ? 'ETIMEDOUT' : codeIn(text)
  if (!UNREACHABLE.test(code)) return null
  return `npm cannot reach the registry (${code}): check the network, HTTPS_PROXY and NODE_EXTRA_CA_CERTS.`
}

function codeIn(text) {
  try {
    return String(JSON.parse(text).error?.code)
  } catch {
    return ''
  }
}
