// npm run package: builds, and packs what an installation needs into kasir-<version>.tgz in this folder, or in the one
// that is named: the compiled service, and the packages it runs on (docs/decisions/0019-package.md).
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { build, install, requireNode } from './lib/bootstrap.mjs'
import { packagedManifest, partsOf } from './lib/manifest.mjs'
import { npm, root } from './lib/run.mjs'

requireNode()
await install('serve')
await build()

/** A package inside a package is named by itself; the rest is for compilers, debuggers and another runtime. */
const isNeeded = (path) => basename(path) !== 'node_modules' && !/\.(map|flow|bare|[cm]?ts)$/.test(path)

/** An image is built from the only archive in this folder; the client's is another package. */
function removeOlder(packed) {
  for (const name of readdirSync(target)) {
    if (/^kasir-\d.*\.tgz$/.test(name) && name !== packed) rmSync(join(target, name))
  }
}

const target = resolve(process.argv[2] ?? root)
const read = (name) => JSON.parse(readFileSync(join(root, name), 'utf8'))
const manifest = read('package.json')
const lock = read('package-lock.json')
mkdirSync(join(root, '.tmp'), { recursive: true })
const room = mkdtempSync(join(root, '.tmp', 'package-'))
try {
  // npm itself leaves out what the patterns of `files` do not name.
  for (const name of [...manifest.files.map((pattern) => pattern.split('/')[0]), 'LICENSE', 'README.md']) {
    cpSync(join(root, name), join(room, name), { recursive: true })
  }
  for (const path of partsOf(lock, manifest).bundled) {
    cpSync(join(root, path), join(room, path), { recursive: true, filter: isNeeded })
  }
  const said = packagedManifest(manifest, lock)
  writeFileSync(join(room, 'package.json'), `${JSON.stringify(said, null, 2)}\n`)
  process.exitCode = await npm(['pack', '--loglevel=error', '--pack-destination', target], { cwd: room })
  if (process.exitCode === 0) removeOlder(`${said.name}-${said.version}.tgz`)
} finally {
  rmSync(room, { recursive: true, force: true })
}
