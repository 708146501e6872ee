/**
 * The end of a whole `npm test`: every refusal that a route declares was met by a test. `tsx scripts/check-refusals.ts FOLDER`,
 * where the tests have noted what their services refused (test/support/refusals.ts).
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { refusalsOf } from '../src/platform/http/refusals.ts'
import { API_PREFIX } from '../src/platform/http/route.ts'
import { routes } from '../src/routes.ts'
import { NOT_MET, unprovoked } from './lib/refusals.ts'

const [folder = ''] = process.argv.slice(2)
const seen = readdirSync(folder).flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'))
const declared = routes.map((row) => ({
  name: row.name,
  address: `${row.method} ${API_PREFIX}${row.path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
  refusals: refusalsOf(row),
  own: row.document?.refuses ?? [],
}))
const complaints = unprovoked(declared, new Set(seen), Object.keys(NOT_MET))
for (const complaint of complaints) console.log(complaint)
process.exitCode = complaints.length === 0 ? 0 : 1
