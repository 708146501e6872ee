// npm run release: builds the package twice, compares both byte by byte, and puts into release/ what is published: the
// package, the Dockerfile, a bill of materials (CycloneDX), the licences of all packages, and the checksums.
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import { changelogFault } from './lib/changelog.mjs'
import { componentOf, licencePage, partsInside, sbomOf } from './lib/materials.mjs'
import { root, runNode } from './lib/run.mjs'

const read = (name) => readFileSync(join(root, name), 'utf8')
const manifest = JSON.parse(read('package.json'))
const lock = JSON.parse(read('package-lock.json'))
const sha256 = (file) => createHash('sha256').update(readFileSync(file)).digest('hex')

function fail(sentence) {
  console.error(sentence)
  process.exit(1)
}

const isDraft = process.argv.includes('--draft')
const fault = changelogFault(read('CHANGELOG.md'), manifest.version)
if (fault !== null && !isDraft) fail(`${fault} (--draft makes the files all the same)`)

const target = resolve(root, 'release')
rmSync(target, { recursive: true, force: true })
mkdirSync(target)

async function pack(folder) {
  rmSync(join(root, 'dist'), { recursive: true, force: true })
  const code = await runNode([join(root, 'scripts', 'package.mjs'), folder])
  if (code !== 0) fail('The package could not be built.')
  const name = readdirSync(folder).find((file) => file.endsWith('.tgz'))
  return join(folder, name)
}

mkdirSync(join(root, '.tmp'), { recursive: true })
const second = mkdtempSync(join(root, '.tmp', 'release-'))
try {
  const [one, other] = [await pack(target), await pack(second)]
  if (sha256(one) !== sha256(other))
    fail('Two builds of the same source differ: the package is not reproducible.')
} finally {
  rmSync(second, { recursive: true, force: true })
}

const components = partsInside(lock, manifest).map((path) => componentOf(root, lock, path))
const unlicensed = components.filter(({ licence }) => licence === null)
if (unlicensed.length > 0) fail(`Without a licence: ${unlicensed.map(({ name }) => name).join(', ')}`)
copyFileSync(join(root, 'Dockerfile'), join(target, 'Dockerfile'))
writeFileSync(join(target, 'sbom.cdx.json'), `${JSON.stringify(sbomOf(manifest, components), null, 2)}\n`)
writeFileSync(join(target, 'licences.md'), licencePage(components))
const files = readdirSync(target).sort()
writeFileSync(
  join(target, 'SHA256SUMS'),
  files.map((name) => `${sha256(join(target, name))}  ${name}\n`).join(''),
)
console.log(`Two builds are equal. In release/: ${[...files, 'SHA256SUMS'].join(', ')}`)
console.log(
  `${components.length} packages; the container runs on ${/^FROM (\S+)/m.exec(read('Dockerfile'))[1]}`,
)
