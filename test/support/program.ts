import { fileURLToPath } from 'node:url'
import { inject } from 'vitest'

const rootFile = (name: string) => fileURLToPath(new URL(`../../${name}`, import.meta.url))

/**
 * What follows `node` to run Kasir as a process of its own: the program as `npm start` builds it, which is up in half the time,
 * or the source where it changed since the last build. Absolute, so that it runs in any folder.
 */
export const program = (): string[] =>
  inject('isBuilt')
    ? [rootFile('dist/cli.js')]
    : ['--import', rootFile('test/support/run-source.mjs'), rootFile('src/cli.ts')]

/** The same as words of a shell. */
export const programCommand = () => ['node', ...program()].join(' ')
