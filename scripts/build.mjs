// npm run build: what npm start does before it serves. Installs what is missing and compiles what changed.
import { build, install, requireNode } from './lib/bootstrap.mjs'

requireNode()
await install('serve')
await build()
