import { Type } from 'typebox'
import { Instant, Nullable, Words } from '../../../platform/http/shapes.ts'

const Check = Words(['ok', 'down', 'off'], { title: 'HealthCheck', description: 'off: not configured' })
export const Health = Type.Object(
  {
    status: Words(['ok', 'degraded', 'down']),
    version: Type.String(),
    uptimeSeconds: Type.Integer(),
    checks: Type.Object({
      database: Check,
      storage: Check,
      workers: Check,
      replica: Check,
      paymentPartner: Check,
      fulfillmentPartner: Check,
      marketingPartner: Check,
    }),
    disks: Type.Array(
      Type.Object({
        name: Words(['data', 'database', 'uploads'], { description: 'Data on this disk' }),
        freeBytes: Type.Integer(),
        state: Words(['ok', 'low', 'critical'], {
          description: 'low: below 2 GiB are free; critical: below 500 MiB',
        }),
      }),
      {
        description: 'Free space of the disks of this machine, not of an external database or bucket',
      },
    ),
    lostWorkers: Type.Array(Type.Integer(), {
      description:
        'Unreachable workers of a sharded database, by their numbers in `kasir doctor`. Only their workspaces are affected.',
    }),
    jobs: Type.Array(
      Type.Object({
        name: Type.String(),
        status: Words(['ok', 'failing', 'waiting'], {
          description: 'Of the last run; failing also while a run hangs',
        }),
        lastRunAt: Nullable(Instant),
        runningSince: { ...Nullable(Instant), description: 'Of the current run; null between runs' },
        unfinishedRuns: Type.Integer({
          description: 'Runs in a row that never ended: from two on the status is failing',
        }),
        lastFailureAt: Nullable(Instant),
      }),
      { description: 'Background jobs, as last read by this process' },
    ),
  },
  { title: 'Health' },
)
