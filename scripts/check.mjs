// npm run check: every check in order, one line each; the output of a check is shown only when it fails.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const bin = (...parts) => join(root, 'node_modules', ...parts)

const CHECKS = [
  ['format', '@biomejs/biome/bin/biome', ['check']],
  ['lint', 'oxlint/bin/oxlint', ['--type-aware', '--deny-warnings']],
  ['walls', 'dependency-cruiser/bin/dependency-cruise.mjs', ['src', '--output-type', 'err']],
  ['dead', 'knip/bin/knip.js', ['--no-progress']],
  ['generated', 'tsx/dist/cli.mjs', ['scripts/generate.ts', '--check']],
  ['types', 'typescript/bin/tsc', ['-p', 'tsconfig.json']],
]

function run(program, args) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [bin(program), ...args], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const output = []
    child.stdout.on('data', (chunk) => output.push(chunk))
    child.stderr.on('data', (chunk) => output.push(chunk))
    child.once('error', (error) => resolve({ code: 127, text: error.message }))
    child.once('close', (code) => resolve({ code: code ?? 1, text: Buffer.concat(output).toString() }))
  })
}

for (const [name, program, args] of CHECKS) {
  const began = performance.now()
  const { code, text } = await run(program, args)
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  console.log(`  ${code === 0 ? 'ok  ' : 'FAIL'} ${name.padEnd(10)} ${seconds} s`)
  if (code !== 0) {
    console.log(text.trimEnd())
    process.exitCode = 1
  }
}
