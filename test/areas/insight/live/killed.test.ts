import { expect, test } from 'vitest'
import { makeOutlet, makeTable } from '../../../support/build.ts'
import { startProcess } from '../../../support/process.ts'
import { insertSale } from '../../../support/rows.ts'
import { acme, address, deps, useService } from '../../../support/service.ts'
import { openStream } from '../../../support/stream.ts'

useService()

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
