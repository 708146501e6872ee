import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { makeOutlet, makeTable } from '../../../support/build.ts'
import { program } from '../../../support/program.ts'
import { insertSale } from '../../../support/rows.ts'
import { acme, address, deps, useService } from '../../../support/service.ts'
import { openStream } from '../../../support/stream.ts'

useService()

/** Another process of the service on the database of this test. */
async function startProcess() {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'kasir-process-'))
  // One database is used with one key.
  await copyFile(path.join(deps().config.dataDir, 'secrets.key'), path.join(dataDir, 'secrets.key'))
  const child = spawn(process.execPath, [...program(), 'serve'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: process.env['PATH'],
      PORT: '0',
      DATA_DIR: dataDir,
      DATABASE_URL: deps().pool.options.connectionString,
      ALLOW_UNSAFE_DATABASE: '1',
      RATE_LIMIT_PER_MINUTE: '0',
      LOG_LEVEL: 'fatal',
    },
  })
  const ended = once(child, 'close')
  const kill = async () => {
    child.kill('SIGKILL')
    await ended
    await rm(dataDir, { recursive: true, force: true })
  }
  const at = await new Promise<string>((resolve, reject) => {
    let told = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      told += text
      const ready = /ready at (http:\S+)/.exec(told)?.[1]
      if (ready !== undefined) resolve(ready)
    })
    child.once('close', () => reject(new Error(`the process ended: ${told}`)))
  })
  return { address: at, kill }
}

test('a process killed with streams open leaves the streams of its neighbour as they were', async () => {
  const other = await startProcess()
  const outletId = await makeOutlet(acme())
  const sale = await insertSale(deps(), acme(), { outletId })
  const { key } = acme().workspace
  const here = await openStream(address(), key)
  const there = await openStream(other.address, key)
  const advance = await fetch(`${other.address}/api/v1/kds/${sale.id}/advance`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
  })
  expect(advance.status).toBe(200)
  for (const stream of [here, there]) {
    await stream.until(({ frames }) => frames().some(({ change }) => change.topic === 'kds'), 1_000)
  }
  await other.kill()
  await there.until(({ isEnded }) => isEnded())
  await makeTable(acme(), outletId, 'A1')
  await here.until(({ frames }) => frames().some(({ change }) => change.topic === 'floor'), 1_000)
  expect(here.isEnded()).toBe(false)
  here.close()
})
