// Puts the script of the page at /docs into vendor/; for tests, which run without a build.
import { fetchReference } from './lib/reference.mjs'

const fault = await fetchReference()
if (fault !== null) {
  console.error(`The page for /docs is missing: ${fault}.`)
  process.exitCode = 1
}
