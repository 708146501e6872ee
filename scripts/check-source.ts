/** npm run check: what the linter cannot say about sources and pages (scripts/lib/source-rules.ts). */
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readMigrations } from '../src/platform/db/migrate.ts'
import { mutants } from '../test/mutants/index.ts'
import { migrationsSuitBothEngines } from './lib/migration-rules.ts'
import { sentencesArePlain, typesAreNamedForThings } from './lib/prose-rules.ts'
import * as rules from './lib/source-rules.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const MADE = ['node_modules', '.git', '.tmp', 'dist', 'data', 'vendor', 'coverage']

const within = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (MADE.includes(entry.name)) return []
    const path = join(folder, entry.name)
    return entry.isDirectory() ? within(path) : [relative(root, path).replaceAll('\\', '/')]
  })

const paths = within(root)
const sources = paths
  .filter((path) => /\.(ts|mjs|js|md)$/.test(path) || path === 'openapi.json')
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))

const complaints = [
  ...rules.anchorsAreSound(sources),
  ...rules.citationsLeadSomewhere(sources),
  ...rules.citationsAreOfWhatIsHere(sources),
  ...rules.linksLeadSomewhere(sources, new Set(paths)),
  ...rules.amountsAreCountedInOnePlace(sources),
  ...rules.envelopeIsWrittenInOnePlace(sources),
  ...rules.mutantsFit(mutants, sources),
  ...sentencesArePlain(sources),
  ...typesAreNamedForThings(sources),
  ...migrationsSuitBothEngines(await readMigrations()),
]
for (const complaint of complaints) console.log(complaint)
process.exitCode = complaints.length === 0 ? 0 : 1
