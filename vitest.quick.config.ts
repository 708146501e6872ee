import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const fileOf = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** True if the file imports only core, rules and decisions of the project, so it needs neither a service nor a database. */
function isOfRules(file: string): boolean {
  const imports = [...readFileSync(fileOf(file), 'utf8').matchAll(/ from '(\.[^']+)'/g)]
  return imports.every(([, path = '']) => /\/core\/|\/rules(?:\.ts$|\/)|\/decide\//.test(path))
}

const testsIn = (folder: string) =>
  readdirSync(fileOf(folder), { recursive: true })
    .map((file) => `${folder}/${String(file).replaceAll('\\', '/')}`)
    .filter((file) => file.endsWith('.test.ts'))

/** npm run test:quick: the tests of core, rules and decisions, which run in seconds. */
export default defineConfig({
  test: {
    include: [...testsIn('test/core'), ...testsIn('test/areas')].filter(isOfRules),
    maxWorkers: 2,
    isolate: false,
    testTimeout: 60_000,
    env: { NODE_ENV: 'test' },
  },
})
