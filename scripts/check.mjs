// npm run check: every `check:…` script of package.json in order, one line each; the output of a check is shown only
// when it fails.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const checks = Object.entries(scripts).filter(([name]) => name.startsWith('check:'))

const PATH = [join(root, 'node_modules', '.bin'), process.env.PATH].join(delimiter)

/** Redocly looks up no newer version of itself and sends no telemetry. */
const QUIET = { REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', REDOCLY_TELEMETRY: 'off' }

function run(command) {
  return new Promise((resolve) => {
    const child = spawn(command, {
      cwd: root,
      env: { ...process.env, PATH, ...QUIET },
      shell: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const output = []
    child.stdout.on('data', (chunk) => output.push(chunk))
    child.stderr.on('data', (chunk) => output.push(chunk))
    child.once('error', (error) => resolve({ code: 127, text: error.message }))
    child.once('close', (code) => resolve({ code: code ?? 1, text: Buffer.concat(output).toString() }))
  })
}

for (const [name, command] of checks) {
  const began = performance.now()
  const { code, text } = await run(command)
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  console.log(`  ${code === 0 ? 'ok  ' : 'FAIL'} ${name.slice('check:'.length).padEnd(10)} ${seconds} s`)
  if (code !== 0) {
    console.log(text.trimEnd())
    process.exitCode = 1
  }
}
