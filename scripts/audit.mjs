// npm run audit: are the packages signed by their registry, and is a fault known in one of those that serve?
// A registry that does not answer, or has no such service, is told and is no failure: it says nothing of the packages.
import { spawn } from 'node:child_process'
import { root } from './lib/run.mjs'

const PATIENCE_MS = 45_000

const QUESTIONS = [
  {
    name: 'signatures',
    args: ['audit', 'signatures', '--json'],
    faults: ({ invalid, missing }) =>
      Array.isArray(invalid) &&
      [...invalid, ...(missing ?? [])].map(({ name, version }) => `${name} ${version}`),
  },
  {
    name: 'known faults',
    args: ['audit', '--omit=dev', '--audit-level=high', '--json'],
    faults: ({ vulnerabilities }) =>
      typeof vulnerabilities === 'object' &&
      Object.values(vulnerabilities)
        .filter(({ severity }) => severity === 'high' || severity === 'critical')
        .map(({ name, severity }) => `${name} (${severity})`),
  },
]

/** What npm prints on its output, or nothing when it did not end in time. */
function ask(args) {
  const cli = process.env.npm_execpath
  const [command, ...before] = cli && /\.[cm]?js$/.test(cli) ? [process.execPath, cli] : ['npm']
  return new Promise((resolve) => {
    const child = spawn(command, [...before, ...args], { cwd: root, stdio: ['ignore', 'pipe', 'ignore'] })
    const late = setTimeout(() => child.kill('SIGKILL'), Number(process.env.AUDIT_PATIENCE_MS ?? PATIENCE_MS))
    const said = []
    child.stdout.on('data', (part) => said.push(part))
    child.once('error', () => resolve(''))
    child.once('close', () => {
      clearTimeout(late)
      resolve(Buffer.concat(said).toString())
    })
  })
}

function parsed(text) {
  try {
    return JSON.parse(text) ?? {}
  } catch {
    return {}
  }
}

for (const { name, args, faults } of QUESTIONS) {
  const found = faults(parsed(await ask(args)))
  if (!found) console.log(`audit, ${name}: not checked, the registry does not answer this question`)
  else if (found.length === 0) console.log(`audit, ${name}: nothing found`)
  else {
    console.log(`audit, ${name}: FAILED for ${found.join(', ')}`)
    process.exitCode = 1
  }
}
