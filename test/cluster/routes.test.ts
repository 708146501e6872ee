import { beforeAll, expect, test } from 'vitest'
import { authOf } from '../../src/platform/http/route.ts'
import { as, useService } from '../support/service.ts'
import { loseWorker, type Side, sideOf } from '../support/sides.ts'
import { routes } from '../table/local.ts'
import { hasProbe, probeFor } from '../table/probes/index.ts'
import { nameOf, send } from '../table/request.ts'

// Run over a cluster by `npm run test:cluster`.

/** Lists the rows of every worker. The overview of the operator answers without those of a lost one. */
const ALL_WORKSPACES = '/operator/workspaces'

useService()

let living: Side
let lost: Side
beforeAll(async () => {
  living = await sideOf(() => true)
  lost = await sideOf(({ group }) => group !== living.group)
})

test('no route of a workspace asks a worker that its rows do not lie on', async () => {
  const find = await loseWorker(lost)
  const asked: string[] = []
  const failed: string[] = []
  try {
    for (const row of routes) {
      if (row.produces === 'text/event-stream' || !hasProbe(row) || row.path === ALL_WORKSPACES) continue
      const probe = await probeFor(row, living.api)
      const caller = authOf(row) === 'credential' ? living.api : as(null)
      const { status, text } = await send(caller, row, probe, {
        idempotencyKey: `lost${nameOf(row)}`.replaceAll(' ', ''),
      })
      asked.push(nameOf(row))
      if (status >= 500) failed.push(`${status} ${nameOf(row)}: ${text.slice(0, 200)}`)
    }
  } finally {
    await find()
  }
  expect(failed).toEqual([])
  expect(asked.length).toBeGreaterThan(180)
}, 600_000)
