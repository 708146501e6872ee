import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const rootFile = (name: string) => fileURLToPath(new URL(`../../${name}`, import.meta.url))

/** The rows of the table: fault, promise and tests. */
async function rowsOfPage(): Promise<string[][]> {
  const page = await readFile(rootFile('docs/faults.md'), 'utf8')
  const lines = page.split('\n').filter((line) => line.startsWith('| '))
  return lines.slice(2).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
}

const testsIn = (cell: string) =>
  [...cell.matchAll(/`(test\/[^`]+\.test\.ts)`/g)].map(([, name = '']) => name)

test('every fault of the page has a promise and at least one test, and each of these files exists', async () => {
  const rows = await rowsOfPage()
  const incomplete = rows.filter(
    ([fault = '', promise = '', tests = '']) => fault === '' || promise === '' || testsIn(tests).length === 0,
  )
  const missing = rows
    .flatMap((cells) => testsIn(cells[2] ?? ''))
    .filter((name) => !existsSync(rootFile(name)))
  expect([rows.length > 30, incomplete, missing]).toEqual([true, [], []])
})

test('every rehearsal of a fault or of a bad night is on the page', async () => {
  const named = new Set((await rowsOfPage()).flatMap((cells) => testsIn(cells[2] ?? '')))
  const folders = await Promise.all(
    ['test/faults', 'test/nights'].map(async (folder) =>
      (await readdir(rootFile(folder)))
        .filter((name) => name.endsWith('.test.ts'))
        .map((name) => `${folder}/${name}`),
    ),
  )
  expect(folders.flat().filter((name) => !named.has(name))).toEqual([])
})
