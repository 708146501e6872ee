// npm start: install what is missing, build what changed, serve. `npm start -- --help` reaches the command line.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, install, requireNode, root } from './lib/bootstrap.mjs'

requireNode()
await install()
await build()

const asked = process.argv.slice(2)
const command = asked[0] === undefined || asked[0].startsWith('-') ? ['serve', ...asked] : asked
const cli = join(root, 'dist', 'cli.js')
process.argv = [process.execPath, cli, ...command]
// In this very process, so that signals and the exit code are the service's own.
await import(pathToFileURL(cli).href)
