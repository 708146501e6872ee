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
export function npmCommand() {
  const cli = process.env.npm_execpath
  if (cli && /\.[cm]?js$/.test(cli)) return [process.execPath, cli]
  return [process.platform === 'win32' ? 'npm.cmd' : 'npm']
}

const SHELL = process.platform === 'win32' ? { shell: true } : {}

export function npm(args, options) {
  const [command, ...before] = npmCommand()
  return run(command, [...before, ...args], command === process.execPath ? options : { ...options, ...SHELL })
}

/** What a program prints on its output; one that takes longer than `patienceMs` is killed. */
export function output(command, args, { patienceMs, ...options }) {
  return new Promise((resolve) => {
    const shell = command === process.execPath ? {} : SHELL
    const child = spawn(command, args, {
      cwd: root,
      stdio: ['ignore', 'pipe', 'ignore'],
      ...shell,
      ...options,
    })
    let isLate = false
    const late = setTimeout(() => {
      isLate = true
      child.kill('SIGKILL')
    }, patienceMs)
    const said = []
    child.stdout.on('data', (part) => said.push(part))
    const end = () => {
      clearTimeout(late)
      resolve({ text: Buffer.concat(said).toString(), isLate })
    }
    child.once('error', end)
    child.once('close', end)
  })
}

export const npmRun = (script) => npm(['run', '--loglevel=error', script])
