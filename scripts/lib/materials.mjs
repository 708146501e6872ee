// What the package is made of: the packages that it carries and those that npm fetches for the machine.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { partsOf } from './manifest.mjs'

export function partsInside(lock, manifest) {
  const { bundled, platforms } = partsOf(lock, manifest)
  return [...bundled, ...platforms].sort()
}

const nameOf = (path) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)

/** Name, version, licence and checksum of a package. A package of another platform is not installed: the lock knows it. */
export function componentOf(root, { packages }, path) {
  const { version, license, integrity } = packages[path]
  return {
    name: nameOf(path),
    version,
    licence: license ?? licenceOf(root, path),
    integrity: integrity ?? null,
  }
}

function licenceOf(root, path) {
  try {
    const { license, licenses } = JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8'))
    return license?.type ?? license ?? licenses?.map(({ type }) => type).join(' OR ') ?? null
  } catch {
    return null
  }
}

const ALGORITHMS = { sha1: 'SHA-1', sha256: 'SHA-256', sha384: 'SHA-384', sha512: 'SHA-512' }

function hashesOf(integrity) {
  const [algorithm, digest] = integrity.split('-')
  return [{ alg: ALGORITHMS[algorithm], content: Buffer.from(digest, 'base64').toString('hex') }]
}

/** A CycloneDX document without its date and serial number, which would differ in every build. */
export const sbomOf = ({ name, version, license }, components) => ({
  bomFormat: 'CycloneDX',
  specVersion: '1.5',
  version: 1,
  metadata: {
    component: { type: 'application', name, version, licenses: [{ expression: license }] },
  },
  components: components.map((one) => ({
    type: 'library',
    name: one.name,
    version: one.version,
    purl: `pkg:npm/${one.name.replace('@', '%40')}@${one.version}`,
    licenses: [{ expression: one.licence }],
    ...(one.integrity === null ? {} : { hashes: hashesOf(one.integrity) }),
  })),
})

export const licencePage = (components) =>
  `# Licences\n\nThe packages inside the package of Kasir, and those that npm fetches for the machine.\n\n| Package | Version | Licence |\n| --- | --- | --- |\n${components
    .map(({ name, version, licence }) => `| ${name} | ${version} | ${licence} |\n`)
    .join('')}`
