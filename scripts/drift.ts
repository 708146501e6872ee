/**
 * npm run drift: fails when openapi.json breaks clients of the last release (released/openapi.json), unless the changelog says so
 * first. With --release it stores openapi.json as the document of the release.
 */
import { copyFile, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { breakages, type Document, isBreakAnnounced } from './lib/drift.ts'

const pathOf = (file: string) => fileURLToPath(new URL(`../${file}`, import.meta.url))
const OURS = pathOf('openapi.json')
const RELEASED = pathOf('released/openapi.json')

async function check() {
  const [released, ours] = await Promise.all(
    [RELEASED, OURS].map(async (file) => JSON.parse(await readFile(file, 'utf8')) as Document),
  )
  const broken = breakages(released as Document, ours as Document)
  if (broken.length === 0) return console.log('Nothing of the last release is broken')
  console.error(`This breaks clients of the last release:\n${broken.map((line) => `  ${line}`).join('\n')}`)
  if (isBreakAnnounced(await readFile(pathOf('CHANGELOG.md'), 'utf8'))) return
  console.error(
    'Keep what was promised and add beside it. If it has to be, begin the Unreleased section of CHANGELOG.md with "### Breaking" and say there what clients must change.',
  )
  process.exitCode = 1
}

await (process.argv.includes('--release') ? copyFile(OURS, RELEASED) : check())
