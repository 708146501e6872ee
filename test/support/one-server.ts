import { inject, test } from 'vitest'

/** What is asked of one PostgreSQL alone, each with the reason why not of a cluster. */
const ASKED_OF_ONE = {
  oneStatement: 'a sale is a transaction of several statements there, which none shares',
  plans:
    'a worker plans the same statement for a shard, which in a test has so few rows that reading all of them is right',
} as const

/** A test that `npm run test:cluster` leaves out. */
export const onOneServer = (_why: keyof typeof ASKED_OF_ONE) => test.skipIf(inject('workerUrls').length > 0)
