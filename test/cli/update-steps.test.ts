import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'

/** Runs the steps of the page with programs that only print their command; `failing` fails. */
async function runSteps(failing: string): Promise<{ out: string; code: number }> {
  const page = await readFile(new URL('../../docs/self-hosting.md', import.meta.url), 'utf8')
  const block = /## Updates\n[^]*?```sh\n([^]*?)```/.exec(page)?.[1] ?? ''
  const programs = ['docker', 'git', 'npm'].map(
    (name) => `${name}() { echo "${name} $*"; case "$*" in ${failing}) return 1;; esac; }`,
  )
  return new Promise((resolve) =>
    execFile('bash', ['-c', [...programs, block].join('\n')], (error, out) =>
      resolve({ out, code: Number(error?.code ?? 0) }),
    ),
  )
}

test('the update in containers ends if the backup before it fails, and its file has a name of its own', async () => {
  const { out, code } = await runSteps('*backup*')
  expect([code, out.trim().split('\n')]).toEqual([
    1,
    [expect.stringMatching(/kasir backup \/backup\/before-update-\d{8}T\d{6}\.tar\.gz$/)],
  ])
  const whole = await runSteps('-')
  expect([whole.code, whole.out.trim().split('\n').at(-1)]).toEqual([0, 'docker compose up --build --detach'])
})
