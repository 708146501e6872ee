import { fileURLToPath } from 'node:url'
import base from '../../vitest.config.ts'

/** Random requests (npm run fuzz): not part of npm test. */
export default {
  ...base,
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: {
    ...base.test,
    include: ['test/fuzz/*.test.ts'],
    exclude: [],
    disableConsoleIntercept: true,
    testTimeout: 24 * 3_600_000,
  },
}
