import { describe, inject, test } from 'vitest'

/** What is asked of one PostgreSQL alone, each with the reason why not of a cluster. */
const ASKED_OF_ONE = {
  oneStatement: 'a sale is a transaction of several statements there, which none shares',
  plans:
    'a worker plans the same statement for a shard, which in a test has so few rows that reading all of them is right',
  triggers: 'Citus refuses a trigger on a table that is spread over workers',
  ownFunctions: 'it defines functions that a cluster has',
  blockedSessions: 'there the session that waits is on a worker',
} as const

type ClusterSkipReason = keyof typeof ASKED_OF_ONE
const hasWorkers = () => inject('workerUrls').length > 0

/** A test that `npm run test:cluster` leaves out. */
export const onOneServer = (_why: ClusterSkipReason) => test.skipIf(hasWorkers())
/** A group of tests that `npm run test:cluster` leaves out. */
export const describeOnOneServer = (_why: ClusterSkipReason) => describe.skipIf(hasWorkers())
