// npm start: install what is missing, build what changed, serve. `npm start -- --help` reaches the command line.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, install, requireNode } from './lib/bootstrap.mjs'
import { root } from './lib/run.mjs'

requireNode()
await install('serve')
await build()

// What is asked of the program itself; any other option belongs to serve.
const ABOUT = ['--help', '-h', '--version', '-v']
const asked = process.argv.slice(2)
const [first = ''] = asked
const isServe = first === '' || (first.startsWith('-') && !ABOUT.includes(first))
const command = isServe ? ['serve', ...asked] : asked
const cli = join(root, 'dist', 'cli.js')
process.argv = [process.execPath, cli, ...command]
// In this very process, so that signals and the exit code are the service's own.
await import(pathToFileURL(cli).href)
