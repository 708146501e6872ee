import { resolve } from 'node:path'
import { findRunning } from '../src/platform/db/embedded.ts'
import { brokenInvariants, readInvariants } from '../src/platform/db/invariants.ts'
import { openDb } from '../src/platform/db/open.ts'

// Usage: npm run invariants [-- postgres://…]; without an address DATABASE_URL, or the embedded database that is
// running.
const url =
  process.argv[2] ??
  process.env['DATABASE_URL'] ??
  (await findRunning(resolve(process.env['DATA_DIR'] ?? './data')))
if (!url) {
  console.error('No database: give an address, set DATABASE_URL, or start the service first.')
  process.exit(2)
}
const { db, close } = openDb({ url, poolSize: 2 })
try {
  const all = await readInvariants()
  const broken = await brokenInvariants(db)
  for (const { part, name, rows } of broken)
    console.log(`broken  ${part}: ${name}\n        ${JSON.stringify(rows)}`)
  console.log(`${all.length - broken.length} passed, ${broken.length} failed`)
  process.exitCode = broken.length === 0 ? 0 : 1
} finally {
  await close()
}
