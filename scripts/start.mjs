// npm start: install what is missing, build what changed, serve. `npm start -- --help` reaches the command line.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, install, isInstalled, requireNode } from './lib/bootstrap.mjs'
import { endWithNpm } from './lib/parent.mjs'
import { root } from './lib/run.mjs'

const HELP = ['--help', '-h', 'help']
const VERSION = ['--version', '-v']

requireNode()
const args = process.argv.slice(2)
const [first = ''] = args
const isAbout = args.some((arg) => HELP.includes(arg)) || VERSION.includes(first)
if (isAbout && !isInstalled('serve')) console.log(describe())
else await start()

/** What the program would print, from the files of the clone: to read about it installs nothing. */
function describe() {
  if (VERSION.includes(first)) return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version
  const page = readFileSync(join(root, 'docs', 'commands.md'), 'utf8')
  const [named = ''] = args.filter((arg) => arg !== 'help')
  // Options alone belong to serve.
  const command = named.startsWith('-') && !HELP.includes(named) ? 'serve' : named
  const at = page.indexOf(`## kasir ${command}\n`)
  const [, text] = page.slice(at === -1 ? page.indexOf('## kasir\n') : at).split('```')
  return text.replace(/^text\n/, '').trimEnd()
}

async function start() {
  endWithNpm()
  await install('serve')
  await build()
  // What is asked of the program itself; any other option belongs to serve.
  const isServe = first === '' || (first.startsWith('-') && ![...HELP, ...VERSION].includes(first))
  const cli = join(root, 'dist', 'cli.js')
  process.argv = [process.execPath, cli, ...(isServe ? ['serve', ...args] : args)]
  // Runs in this process, so that signals and the exit code are those of the service.
  await import(pathToFileURL(cli).href)
}
