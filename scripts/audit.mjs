// npm run audit: are the packages signed by their registry, and is a fault known in one of those that serve?
// A registry that does not answer, or has no such service, is reported but is no failure.
import { npmCommand, output } from './lib/run.mjs'

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

async function ask(args) {
  const [command, ...before] = npmCommand()
  const patienceMs = Number(process.env.AUDIT_PATIENCE_MS ?? PATIENCE_MS)
  return (await output(command, [...before, ...args], { patienceMs })).text
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
