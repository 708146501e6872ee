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
        name: Words(['data', 'database', 'uploads'], { description: 'The data on this disk' }),
        freeBytes: Type.Integer(),
        state: Words(['ok', 'low', 'critical'], {
          description: 'low: less than 2 GiB are free; critical: less than 500 MiB',
        }),
      }),
      {
        description:
          'Free space of the disks of this machine. The disks of an external database or bucket are not listed.',
      },
    ),
    lostWorkers: Type.Array(Type.Integer(), {
      description:
        'Unreachable workers of a sharded database, by their numbers in `kasir doctor`. Only the workspaces on these workers are affected.',
    }),
    jobs: Type.Array(
      Type.Object({
        name: Type.String(),
        status: Words(['ok', 'failing', 'waiting'], {
          description: 'Result of the last run; waiting: no run has ended yet',
        }),
        lastRunAt: Nullable(Instant),
        runningSince: { ...Nullable(Instant), description: 'Start of the current run; null between runs' },
        unfinishedRuns: Type.Integer({
          description: 'Runs in a row that began and never ended: from two on the status is failing',
        }),
        lastFailureAt: Nullable(Instant),
      }),
      { description: 'Background jobs, as last read by the process that answers' },
    ),
  },
  { title: 'Health' },
)
