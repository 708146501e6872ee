// Runs on plain Node before anything is installed: only built-in modules here, and syntax old Nodes parse.
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../..', import.meta.url))

/** Runs a program to its end and answers its exit code; its output is ours. */
export function run(command, args, options = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, stdio: 'inherit', ...options })
    child.once('error', (error) => {
      console.error(`${command} cannot be run: ${error.message}`)
      resolve(127)
    })
    child.once('close', (code, signal) => resolve(signal === null ? (code ?? 1) : 1))
  })
}

export const runNode = (args, options) => run(process.execPath, args, options)

/** The same npm that started us, found without a shell; its name alone when there was none. */
export function npm(args, options) {
  const cli = process.env.npm_execpath
  if (cli && /\.[cm]?js$/.test(cli)) return runNode([cli, ...args], options)
  return process.platform === 'win32'
    ? run('npm.cmd', args, { ...options, shell: true })
    : run('npm', args, options)
}

export const npmRun = (script) => npm(['run', '--loglevel=error', script])
