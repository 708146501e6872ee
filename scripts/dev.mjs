// npm run dev: the service from its sources on port 3000, and Vite on port 5173, which reloads the register on a change.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { install, requireNode } from './lib/bootstrap.mjs'
import { root } from './lib/run.mjs'

requireNode()
await install('develop')
const programs = [
  ['--import', 'tsx', join(root, 'src', 'cli.ts'), 'serve', ...process.argv.slice(2)],
  [join(root, 'node_modules', 'vite', 'bin', 'vite.js'), join(root, 'web')],
]
const children = programs.map((args) => spawn(process.execPath, args, { cwd: root, stdio: 'inherit' }))
for (const child of children) {
  child.once('close', (code) => {
    // One without the other is of no use.
    for (const other of children) if (other.exitCode === null) other.kill('SIGTERM')
    process.exitCode ||= code ?? 0
  })
}
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {})
